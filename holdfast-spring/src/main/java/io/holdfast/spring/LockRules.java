package io.holdfast.spring;

import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How a call locks: everything but the names. What is not said is the client's ({@code options}) or that of the
 * settings ({@code waitFor}, {@code joining}), which are known later.
 */
record LockRules(
        String client,
        Optional<Optional<Duration>> waitFor,
        UnaryOperator<LockOptions> options,
        Locked.Kind kind,
        int permits,
        Locked.Release release,
        Optional<Joining> joining,
        Locked.OnLost onLost,
        Optional<Duration> atLeastFor) {

    static final LockRules USUAL = new LockRules(
            "",
            Optional.empty(),
            options -> options,
            Locked.Kind.LOCK,
            1,
            Locked.Release.AFTER_TRANSACTION,
            Optional.empty(),
            Locked.OnLost.THROW,
            Optional.empty());

    LockRules withClient(String name) {
        return new LockRules(name, waitFor, options, kind, permits, release, joining, onLost, atLeastFor);
    }

    LockRules withWait(Optional<Duration> wait) {
        return new LockRules(client, Optional.of(wait), options, kind, permits, release, joining, onLost, atLeastFor);
    }

    LockRules withOptions(UnaryOperator<LockOptions> change) {
        return new LockRules(client, waitFor, change, kind, permits, release, joining, onLost, atLeastFor);
    }

    LockRules withKind(Locked.Kind other, int number) {
        return new LockRules(client, waitFor, options, other, number, release, joining, onLost, atLeastFor);
    }

    LockRules withRelease(Locked.Release other) {
        return new LockRules(client, waitFor, options, kind, permits, other, joining, onLost, atLeastFor);
    }

    LockRules withJoining(Joining other) {
        return new LockRules(client, waitFor, options, kind, permits, release, Optional.of(other), onLost, atLeastFor);
    }

    LockRules withOnLost(Locked.OnLost other) {
        return new LockRules(client, waitFor, options, kind, permits, release, joining, other, atLeastFor);
    }

    LockRules withAtLeastFor(Duration time) {
        return new LockRules(client, waitFor, options, kind, permits, release, joining, onLost, Optional.of(time));
    }
}
