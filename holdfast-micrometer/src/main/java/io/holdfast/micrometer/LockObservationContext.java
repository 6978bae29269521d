package io.holdfast.micrometer;

import io.micrometer.observation.Observation;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is known of an observed call under a lock: which lock, and what became of it.
 *
 * <p><b>Threads.</b> As every context of Micrometer: changed by whoever runs the call, one thread after another.
 *
 * @since 0.1
 */
public final class LockObservationContext extends Observation.Context {
    private final String group;
    private final String kind;
    private final List<String> names;
    private volatile OptionalLong token = OptionalLong.empty();
    private volatile String outcome = "unknown";

    /**
     * Creates the context of a call that begins.
     *
     * @param group what the lock belongs to, one of few
     * @param kind what the names are locked as, in small letters
     * @param names what is locked, at least one
     */
    public LockObservationContext(String group, String kind, List<String> names) {
        this.group = group;
        this.kind = kind;
        this.names = List.copyOf(names);
    }

    /**
     * Returns what the lock belongs to.
     *
     * @return one of few values
     */
    public String group() {
        return group;
    }

    /**
     * Returns what the names are locked as.
     *
     * @return the kind, in small letters
     */
    public String kind() {
        return kind;
    }

    /**
     * Returns what is locked.
     *
     * @return at least one name
     */
    public List<String> names() {
        return names;
    }

    /**
     * Returns the fencing token of the first name.
     *
     * @return empty as long as the lock is not there
     */
    public OptionalLong token() {
        return token;
    }

    /**
     * Says which token the call got.
     *
     * @param token the fencing token of the first name
     */
    public void acquired(long token) {
        this.token = OptionalLong.of(token);
    }

    /**
     * Returns what became of the lock.
     *
     * @return {@code acquired}, {@code busy}, {@code cancelled}, {@code failed}, {@code late} or {@code lost};
     *     {@code unknown} as long as the call goes on
     */
    public String outcome() {
        return outcome;
    }

    /**
     * Says what became of the lock.
     *
     * @param outcome in small letters
     */
    public void outcome(String outcome) {
        this.outcome = outcome;
    }
}
