package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import java.util.List;

/**
 * The store that was chosen, where it is, and the client on it. There is none if the application brings its own client.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * @since 0.1
 */
public final class LockStore {
    /** Nobody's lock: only looked at, to see whether somebody answers. */
    static final String LOOKED_AT = "holdfast-health";

    private final CandidateStore store;
    private final LockClient client;

    private final LockOptions defaults;

    private LockStore(CandidateStore store, LockOptions defaults, LockClient client) {
        this.store = store;
        this.defaults = defaults;
        this.client = client;
    }

    static LockStore open(CandidateStore store, HoldfastProperties properties) {
        LockClient client;
        try {
            client = store.open(properties.lockOptions());
        } catch (IllegalArgumentException unusable) {
            throw new HoldfastStartException(
                    "a property of holdfast.* cannot be used: " + unusable.getMessage(),
                    "Change the property that it names; " + where(store) + " is the store.");
        } catch (IllegalStateException missing) { // a library, or it is too old
            throw new HoldfastStartException(
                    "the store " + where(store) + " cannot be opened: " + missing.getMessage(),
                    "Change the dependency that it names, or choose another store with holdfast.store.");
        }
        return new LockStore(store, properties.lockOptions(), client);
    }

    private static String where(CandidateStore store) {
        return store.where().orElse(store.store().name());
    }

    LockClient client() {
        return client;
    }

    /**
     * Says where the store is.
     *
     * @return for people, and without passwords
     */
    public String where() {
        return where(store);
    }

    /**
     * Examines the store, as {@code holdfast doctor} does.
     *
     * @return what was found; empty for a store that nobody examines
     */
    public List<Finding> examine() {
        return store.examine();
    }

    /**
     * Opens one more client, as another process would: for tests.
     *
     * @return the client, to be closed
     */
    public LockClient another() {
        return store.open(defaults);
    }
}
