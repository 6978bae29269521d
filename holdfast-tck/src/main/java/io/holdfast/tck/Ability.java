package io.holdfast.tck;

import io.holdfast.spi.LockBackend;

/** What a store may be able to do or not, as its fixture says. */
enum Ability {
    /** Waiting claims stand in a line. */
    LINE,
    /** A waiting claim is told that it was served. */
    ANNOUNCEMENTS,
    /** Clients see of each other who waits while holding something, in a line that the store keeps. */
    WAITS,
    /** It can be made to forget. */
    AMNESIA,
    /** What a client holds outlives its connection. */
    SURVIVAL,
    /** Tokens can be raised. */
    RAISED_TOKENS,
    /** The network to it can be broken. */
    WIRE,
    /** Clients whose clocks are far off are not let in. */
    CLOCK_CHECK;

    boolean isOf(BackendFixture fixture) {
        return switch (this) {
            case LINE -> fixture.keepsLine();
            case ANNOUNCEMENTS -> fixture.announces();
            case WAITS -> fixture.showsWaits() && fixture.keepsLine();
            case AMNESIA -> fixture.forgetEverything().isPresent();
            case SURVIVAL -> !fixture.endsWithClient();
            case RAISED_TOKENS -> raisesTokens(fixture);
            case WIRE -> fixture.wire().isPresent();
            case CLOCK_CHECK -> fixture.clockTolerance().compareTo(SkewedTime.MOST) < 0;
        };
    }

    private static boolean raisesTokens(BackendFixture fixture) {
        try (LockBackend backend = fixture.newBackend()) {
            return backend.raisesTokens();
        }
    }
}
