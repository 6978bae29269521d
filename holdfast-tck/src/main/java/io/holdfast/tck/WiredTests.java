package io.holdfast.tck;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A contract whose clients are behind a wire that can fail. */
abstract class WiredTests extends Contract {
    private @Nullable Duration timeout;

    final Wire wire() {
        return fixture().wire().orElseThrow();
    }

    /** Its request timeout is so short that a busy machine may take longer now and then, without any fault. */
    final LockClient wiredClient(LockOptions options) {
        LockOptions patient = options.waitThroughOutages(patience());
        return answered(() -> client(wire().newBackend(TimeSource.system()), patient));
    }

    final Duration longLease() {
        return defaults().lease();
    }

    /** Repeats a trip until it is answered, as the engine does. */
    final <T> T answered(Supplier<T> trip) {
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        soon("an answer").ignoreExceptions().until(() -> {
            answer.set(trip.get());
            return true;
        });
        return Objects.requireNonNull(answer.get());
    }

    /** How late a request of a client behind the wire may take effect. */
    final Duration timeout() {
        if (timeout == null) {
            try (LockBackend backend = wire().newBackend(TimeSource.system())) {
                timeout = backend.requestTimeout();
            }
        }
        return timeout;
    }
}
