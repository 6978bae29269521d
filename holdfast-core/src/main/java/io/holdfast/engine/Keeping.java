package io.holdfast.engine;

import io.holdfast.DurationText;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leaves grants to the store whose leases are over, for a time that was asked for. */
final class Keeping {
    private final StoreCalls store;
    private final Watchdog watchdog;
    private final TimeSource time;

    Keeping(StoreCalls store, Watchdog watchdog, TimeSource time) {
        this.store = store;
        this.watchdog = watchdog;
        this.time = time;
    }

    /** The longest time, or empty if the store cannot do it. */
    Optional<Duration> longest() {
        return store.outlivesClient() ? Optional.of(store.limit().longest()) : Optional.empty();
    }

    /** Refuses what the store cannot do. */
    Duration checked(Resource resource, Duration asked) {
        Duration longest = longest()
                .orElseThrow(() -> new UnsupportedOperationException("closeAfter of '" + resource.name()
                        + "': in this store a lock ends with the client that holds it, so that nothing can be left taken;"
                        + " use close(), or another store (longestCloseAfter() tells at the start)"));
        return Durations.kept(asked, longest);
    }

    /**
     * Makes the store keep a grant for so long from now, if it would not anyway. The lease is still held meanwhile, and
     * may be lost.
     *
     * @return what the user gets if nobody knows whether the store will, or null
     */
    @Nullable
    RuntimeException prolong(StoreGrant grant, Duration asked) {
        if (grant.remainingNanos() >= asked.toNanos()) {
            return null;
        }
        Duration lease = asked.compareTo(LockOptions.SHORTEST_LEASE) < 0 ? LockOptions.SHORTEST_LEASE : asked;
        long askedNanos = time.nanoTime();
        try {
            boolean renewed = watchdog.renewNow(grant, lease);
            Duration answered = Duration.ofNanos(time.nanoTime() - askedNanos);
            boolean shorter = renewed && grant.isShorterThan(asked.minus(answered));
            return shorter ? tooShort(grant, asked, "the store gave less", null) : null;
        } catch (LockStoreException trouble) {
            Throwable cause = trouble.getCause() == null ? trouble : trouble.getCause();
            return tooShort(grant, asked, String.valueOf(cause.getMessage()), cause);
        }
    }

    private static RuntimeException tooShort(StoreGrant grant, Duration asked, String why, @Nullable Throwable cause) {
        Resource resource = grant.claim().resource();
        return new LockStoreException(
                resource.kind(),
                resource.name(),
                "could not leave '" + resource.name() + "' taken for " + DurationText.of(asked) + ": " + why
                        + "; it is closed, and others may have it in "
                        + DurationText.of(Duration.ofNanos(Math.max(0, grant.remainingNanos()))),
                cause);
    }
}
