package io.holdfast.spring;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/** Spring's transactions of a Reactor context, by their synchronizations. */
final class SpringReactiveTransactions implements ReactiveTransactions {
    private static final boolean R2DBC = ClassUtils.isPresent(
            "org.springframework.r2dbc.connection.ConnectionHolder", SpringReactiveTransactions.class.getClassLoader());

    private final BeanFactory beans;

    SpringReactiveTransactions(BeanFactory beans) {
        this.beans = beans;
    }

    private static Mono<TransactionSynchronizationManager> current() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .filter(manager -> manager.isActualTransactionActive() && manager.isSynchronizationActive())
                .onErrorResume(NoTransactionException.class, none -> Mono.empty());
    }

    @Override
    public Mono<Optional<Present>> present(Joining joining, List<String> names, BooleanSupplier ownTransaction) {
        return current()
                .filter(manager -> !ownTransaction.getAsBoolean())
                .map(manager -> {
                    if (joining == Joining.REFUSE) {
                        throw new LockedTooLateException(
                                names, "a transaction was there before, and joining is REFUSE");
                    }
                    if (joining == Joining.AUTO) {
                        refuseSnapshots(manager, names);
                    }
                    return Optional.<Present>of(new OfContext(manager));
                })
                .defaultIfEmpty(Optional.empty());
    }

    private void refuseSnapshots(TransactionSynchronizationManager manager, List<String> names) {
        Integer level = manager.getCurrentTransactionIsolationLevel();
        if (level != null && level >= TransactionDefinition.ISOLATION_REPEATABLE_READ) {
            throw new LockedTooLateException(names, Isolations.why(level));
        }
        if (R2DBC) {
            Optional<String> strict = R2dbcIsolation.strict(manager, beans);
            if (strict.isPresent()) {
                throw new LockedTooLateException(names, Isolations.why(strict.get()));
            }
        }
    }

    @Override
    public Mono<List<Holding>> kept() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .map(manager -> List.copyOf(Kept.by(manager).holdings))
                .onErrorResume(NoTransactionException.class, none -> Mono.just(List.of()));
    }

    @Override
    public Mono<Void> guard(List<Holding> held) {
        return current()
                .doOnNext(manager -> manager.registerSynchronization(new Asking(held)))
                .then();
    }

    /**
     * What the transactions of a context keep, the outer ones too: those that are suspended take their synchronizations
     * with them, but not a resource that no manager knows.
     */
    private static final class Kept {
        private final List<Holding> holdings = new CopyOnWriteArrayList<>();

        static Kept by(TransactionSynchronizationManager manager) {
            Object known = manager.getResource(Kept.class);
            return known instanceof Kept kept ? kept : new Kept();
        }

        static void add(TransactionSynchronizationManager manager, Holding holding) {
            Kept kept = by(manager);
            kept.holdings.removeIf(Holding::isReleased);
            kept.holdings.add(holding);
            if (!manager.hasResource(Kept.class)) {
                manager.bindResource(Kept.class, kept);
            }
        }
    }

    private record OfContext(TransactionSynchronizationManager manager) implements Present {

        @Override
        public void keep(Holding holding) {
            manager.registerSynchronization(new Keeping(manager, holding, false));
            Kept.add(manager, holding);
        }

        @Override
        public void borrow(Holding holding) {
            if (keepers(holding).findAny().isEmpty() && holding.share()) {
                manager.registerSynchronization(new Keeping(manager, holding, true));
                Kept.add(manager, holding);
            }
        }

        @Override
        public boolean isBefore(Holding holding) {
            return keepers(holding).anyMatch(each -> !each.borrows);
        }

        private Stream<Keeping> keepers(Holding holding) {
            return manager.getSynchronizations().stream()
                    .filter(Keeping.class::isInstance)
                    .map(Keeping.class::cast)
                    .filter(each -> each.holding == holding);
        }
    }

    /** See {@code SpringTransactions.Keeping}: the same for threads. */
    private static final class Keeping implements TransactionSynchronization, Ordered {
        private final TransactionSynchronizationManager manager;
        private final Holding holding;
        private final boolean borrows;
        private boolean releasesLater;

        Keeping(TransactionSynchronizationManager manager, Holding holding, boolean borrows) {
            this.manager = manager;
            this.holding = holding;
            this.borrows = borrows;
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(holding::ensureValid);
        }

        @Override
        public Mono<Void> beforeCompletion() {
            return Mono.fromRunnable(() -> {
                manager.registerSynchronization(new Releasing(holding));
                releasesLater = true;
            });
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return releasesLater
                    ? Mono.empty()
                    : Mono.fromFuture(holding.releaseAsync()).then();
        }
    }

    private record Releasing(Holding holding) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.defer(() -> Mono.fromFuture(holding.releaseAsync())).then();
        }
    }

    private record Asking(List<Holding> held) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(() -> Holding.ensureValid(held));
        }
    }
}
