package io.holdfast.engine;

import io.holdfast.DurationText;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The longest lease that the store gives, if it has a limit: a fixed lease must fit, a renewed one is made to. */
final class LeaseLimit {
    private final @Nullable Duration longest;

    LeaseLimit(Optional<Duration> longest) {
        this.longest = longest.orElse(null);
    }

    /** The longest lease that there is. */
    Duration longest() {
        return longest == null ? LockOptions.LONGEST_LEASE : longest;
    }

    /** The options with a lease that the store can give. */
    LockOptions fitted(Resource resource, LockOptions options) {
        if (longest == null || options.lease().compareTo(longest) <= 0) {
            return options;
        }
        return options.renewed() ? options.renewedLease(longest) : options.lease(checked(resource, options.lease()));
    }

    /** Refuses what the store cannot give. */
    Duration checked(Resource resource, Duration lease) {
        if (longest != null && lease.compareTo(longest) > 0) {
            throw new IllegalArgumentException("a lease of " + DurationText.of(lease) + " for '" + resource.name()
                    + "' is longer than " + DurationText.of(longest)
                    + ", the longest that this store gives; ask for less, let the lease"
                    + " be renewed, or raise longestLease() in every client where the store has it");
        }
        return lease;
    }
}
