package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long what was acquired now stays taken at least. */
final class LeastTime {
    private static final System.Logger LOG = System.getLogger(LeastTime.class.getName());

    private final Duration least;
    private final long since = TimeSource.system().nanoTime();

    LeastTime(Duration least) {
        this.least = least;
    }

    /** Returns why a client cannot leave a lock taken for so long, or null if it can. */
    static @Nullable String refused(LockClient client, Duration least) {
        Optional<Duration> longest = client.longestCloseAfter();
        if (longest.isEmpty()) {
            return "the store gives back what a client holds when the client goes away, so it keeps no least time";
        }
        return least.compareTo(longest.get()) > 0 ? "the store keeps a lock for at most " + longest.get() : null;
    }

    /** Before anything is locked. */
    static void check(LockClient client, LockRules rules) {
        if (rules.atLeastFor().isPresent()) {
            String refused = refused(client, rules.atLeastFor().get());
            if (refused != null) {
                throw new UnsupportedOperationException("atLeastFor is "
                        + rules.atLeastFor().get() + ", and " + refused + ". Nothing was locked or run");
            }
        }
    }

    /** The one that is over last. */
    static LeastTime later(LeastTime one, LeastTime other) {
        return one.left().compareTo(other.left()) >= 0 ? one : other;
    }

    private Duration left() {
        return least.minusNanos(TimeSource.system().nanoTime() - since);
    }

    /** Ends a lease, and leaves it taken for the rest of the time. */
    void close(Lease lease) {
        Duration left = left();
        if (left.isNegative() || left.isZero() || !lease.isValid()) {
            lease.close();
            return;
        }
        try {
            lease.closeAfter(left);
        } catch (RuntimeException trouble) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "'" + lease.name() + "' may be free before its least time of " + least + " is over",
                    trouble);
            lease.close();
        }
    }
}
