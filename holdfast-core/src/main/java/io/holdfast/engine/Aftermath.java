package io.holdfast.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be done after a change at a gate, once its mutex is free. */
final class Aftermath {
    private List<Waiter> signals = List.of();

    /** Holds that nobody here may have. */
    List<StoreGrant> spent = List.of();

    /** A claim that nobody here wants. */
    @Nullable
    ClaimAttempt orphan;

    boolean isNothing() {
        return signals.isEmpty() && spent.isEmpty();
    }

    void signal(Waiter waiter) {
        signals = signals.isEmpty() ? new ArrayList<>(1) : signals;
        signals.add(waiter);
    }

    void signalAll() {
        signals.forEach(Waiter::signal);
    }
}
