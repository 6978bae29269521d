package io.holdfast.spring.integration;

import io.holdfast.DistributedLock;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.BiFunction;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.ClassUtils;

/**
 * The lock registry of Spring Integration on Holdfast: for aggregators, resequencers, file filters, endpoints of
 * leaders ({@code LockRegistryLeaderInitiator}), and whatever else takes a {@code LockRegistry}.
 *
 * <p><b>Guarantees.</b> Those of {@link DistributedLock}: a lock belongs to a thread and can be entered again, is
 * renewed while it is held, and a loss is an exception at the next call instead of silence. Keys become names as text
 * behind the prefix, so two keys with the same text are one lock. With Spring Integration 7 and later the locks are of
 * its type {@code DistributedLock}, with times to live; with 6.5 they are plain locks.
 *
 * <p><b>Not guaranteed.</b> {@code LockRegistryLeaderInitiator} gives its lock back before it tells that leadership was
 * revoked, so two processes may both believe that they lead for a moment. {@link io.holdfast.spring.leader.Election}
 * tells first.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Interruption.</b> As for {@link DistributedLock}.
 *
 * <p><b>Failures.</b> {@link io.holdfast.LockStoreException} when the store cannot be asked, {@link
 * io.holdfast.LockLostException} from {@code unlock}, {@code lock} and {@code renewLock} when the lock was lost.
 *
 * <pre>{@code
 * @Bean
 * HoldfastLockRegistry locks(LockClient client) {
 *     return new HoldfastLockRegistry(client, "orders:");
 * }
 * }</pre>
 *
 * @since 0.1
 */
@SuppressWarnings("exports") // whoever uses this requires that library as well
public final class HoldfastLockRegistry implements RenewableLockRegistry<Lock>, ExpirableLockRegistry<Lock> {
    private static final boolean HAS_TYPE = ClassUtils.isPresent(
            "org.springframework.integration.support.locks.DistributedLock",
            HoldfastLockRegistry.class.getClassLoader());

    private final LockClient client;
    private final String prefix;
    private final LockOptions options;
    private final BiFunction<DistributedLock, LockClient, Lock> adapter;

    /**
     * A registry with the client's default options.
     *
     * @param client makes the locks; not closed with the registry
     * @param prefix what names begin with; empty for nothing
     */
    public HoldfastLockRegistry(LockClient client, String prefix) {
        this(client, prefix, client.defaults());
    }

    /**
     * A registry.
     *
     * @param client makes the locks; not closed with the registry
     * @param prefix what names begin with; empty for nothing
     * @param options how locks are held for which no time to live is said
     */
    public HoldfastLockRegistry(LockClient client, String prefix, LockOptions options) {
        this(client, prefix, options, HAS_TYPE);
    }

    /** @param hasType whether Spring Integration has a type for locks with a time to live */
    HoldfastLockRegistry(LockClient client, String prefix, LockOptions options, boolean hasType) {
        this.client = Objects.requireNonNull(client, "client");
        this.prefix = Objects.requireNonNull(prefix, "prefix");
        this.options = Objects.requireNonNull(options, "options");
        this.adapter =
                hasType ? (lock, opener) -> new LockWithTimeToLive(lock, opener, options) : (lock, opener) -> lock;
    }

    /**
     * Returns the lock of a key. Asks the store nothing; the same key gives the same lock, whichever object it is.
     *
     * @param lockKey its text, behind the prefix, is the name
     * @return the lock
     * @throws IllegalArgumentException if that is no name: empty, or longer than 512 bytes
     */
    @Override
    public Lock obtain(Object lockKey) {
        return adapter.apply(lock(lockKey), client);
    }

    private DistributedLock lock(Object key) {
        return client.lock(prefix + Objects.requireNonNull(key, "lockKey"), options);
    }

    /**
     * Renews a lock that the calling thread holds. Locks are renewed without it; this makes sure of it now.
     *
     * @param lockKey the key
     * @throws IllegalMonitorStateException if the thread does not hold it
     * @throws io.holdfast.LockLostException if it was lost
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, options.lease());
    }

    /**
     * Makes a lock that the calling thread holds last at least so long from now.
     *
     * @param lockKey the key
     * @param ttl the time from now
     * @throws IllegalMonitorStateException if the thread does not hold it
     * @throws io.holdfast.LockLostException if it was lost
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        lock(lockKey).lease().extend(ttl);
    }

    /**
     * Does nothing: what nobody uses is forgotten by itself.
     *
     * @param age ignored
     */
    @Override
    public void expireUnusedOlderThan(long age) {}

    @Override
    public String toString() {
        return "HoldfastLockRegistry of " + client + " for '" + prefix + "…'";
    }
}
