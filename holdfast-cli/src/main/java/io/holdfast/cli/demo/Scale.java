package io.holdfast.cli.demo;

import java.time.Duration;

/**
 * How large the demo is.
 *
 * @param workers processes
 * @param vouchers to sell in the first two acts
 * @param users who click twice each
 * @param paymentMillis how long each of them pays
 * @param lease how long the lock outlives a holder that is killed or stopped
 * @param pause how long things stay as they are, for the audience
 */
record Scale(int workers, int vouchers, int users, int paymentMillis, Duration lease, Duration pause) {
    /** Long enough to watch. */
    static final Scale FULL = new Scale(4, 100, 400, 40, Duration.ofSeconds(2), Duration.ofSeconds(2));

    static final Scale QUICK = new Scale(4, 100, 200, 2, Duration.ofSeconds(2), Duration.ofMillis(400));

    int clicks() {
        return 2 * users;
    }
}
