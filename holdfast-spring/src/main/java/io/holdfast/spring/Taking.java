package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Leases that are being asked for without a thread. {@link #cancel} asks the source to give up; {@link #leases} is
 * never cancelled itself, so that a grant that came in between is seen by whoever waits for it.
 */
final class Taking {
    private final CompletableFuture<Optional<List<Lease>>> leases = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<?> source;
    private volatile boolean cancelled;

    private Taking() {}

    static <L> Taking of(CompletableFuture<Optional<L>> source, Function<L, List<Lease>> toLeases) {
        Taking taking = new Taking();
        taking.source = source;
        source.whenComplete((found, failure) -> {
            if (failure != null) {
                taking.leases.completeExceptionally(failure);
            } else {
                taking.leases.complete(found.map(toLeases));
            }
        });
        return taking;
    }

    static Taking inTurn(List<String> names, Function<String, CompletableFuture<Optional<Lease>>> ask) {
        Taking taking = new Taking();
        taking.next(names, ask, new ArrayList<>(names.size()));
        return taking;
    }

    private void next(List<String> names, Function<String, CompletableFuture<Optional<Lease>>> ask, List<Lease> taken) {
        if (taken.size() == names.size()) {
            leases.complete(Optional.of(List.copyOf(taken)));
            return;
        }
        CompletableFuture<Optional<Lease>> asked = ask.apply(names.get(taken.size()));
        source = asked;
        if (cancelled) {
            asked.cancel(false);
        }
        asked.whenComplete((found, failure) -> {
            if (failure == null && found.isPresent()) {
                taken.add(found.get());
                if (!cancelled) {
                    next(names, ask, taken);
                    return;
                }
            }
            taken.forEach(Lease::closeAsync);
            if (failure != null || cancelled) {
                leases.completeExceptionally(failure != null ? failure : new CancellationException());
            } else {
                leases.complete(Optional.empty());
            }
        });
    }

    CompletableFuture<Optional<List<Lease>>> leases() {
        return leases;
    }

    void cancel() {
        cancelled = true;
        CompletableFuture<?> asked = source;
        if (asked != null) {
            asked.cancel(false);
        }
    }
}
