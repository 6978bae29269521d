package io.holdfast.spring;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Mono;

/** Where {@code spring-tx} is missing. */
final class NoReactiveTransactions implements ReactiveTransactions {

    @Override
    public Mono<Optional<Present>> present(Joining joining, List<String> names, BooleanSupplier ownTransaction) {
        return Mono.just(Optional.empty());
    }

    @Override
    public Mono<List<Holding>> kept() {
        return Mono.just(List.of());
    }

    @Override
    public Mono<Void> guard(List<Holding> held) {
        return Mono.empty();
    }
}
