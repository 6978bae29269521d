package io.holdfast.spring;

import io.holdfast.LockLostException;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.AopInfrastructureBean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Runs a publisher under its locks: one acquisition for each subscription, given back when it completes, fails or is
 * cancelled, without a thread that waits.
 */
final class ReactiveCalls implements AopInfrastructureBean {
    private final LocksContext context;
    private final ReactiveTransactions transactions;

    ReactiveCalls(LocksContext context, ReactiveTransactions transactions) {
        this.context = context;
        this.transactions = transactions;
    }

    /** {@code body} and {@code instead} are asked once for each subscription. */
    <T> Flux<T> many(
            LockRules rules,
            LockedCall call,
            BooleanSupplier ownTransaction,
            Function<Section, Publisher<T>> body,
            BiFunction<LockedCall, Duration, Publisher<T>> instead) {
        return Flux.deferContextual(view -> {
            Observation observation = Observation.start(context.observers(), call);
            long start = TimeSource.system().nanoTime();
            return Flux.usingWhen(
                    transactions
                            .kept()
                            .map(kept -> new Attempt(context, rules, call.names(), around(view, kept)))
                            .doOnError(observation::failed),
                    attempt -> enter(attempt, rules, call, ownTransaction)
                            .doOnError(observation::failed)
                            .doOnCancel(observation::cancelled)
                            .flatMapMany(entered -> {
                                if (entered.isPresent()) {
                                    return inside(rules, attempt, entered.get(), observation, body);
                                }
                                observation.ended(LockedObserver.Outcome.BUSY, null);
                                return instead.apply(
                                        call,
                                        Duration.ofNanos(TimeSource.system().nanoTime() - start));
                            }),
                    attempt -> Mono.fromFuture(attempt.end()),
                    (attempt, failure) -> Mono.fromFuture(attempt.end()),
                    attempt -> Mono.fromFuture(attempt.end()));
        });
    }

    /** What the context holds, what the thread that subscribes does, and what the transaction keeps. */
    private static List<Holding> around(ContextView view, List<Holding> kept) {
        List<Holding> context = ContextLocks.holdings(view);
        List<Holding> thread = ThreadLocks.current().holdings();
        if (kept.isEmpty() && (context.isEmpty() || thread.isEmpty())) {
            return context.isEmpty() ? thread : context;
        }
        List<Holding> all = new ArrayList<>(kept);
        all.addAll(thread);
        all.addAll(context);
        return all;
    }

    private Mono<Optional<Section>> enter(
            Attempt attempt, LockRules rules, LockedCall call, BooleanSupplier ownTransaction) {
        return present(attempt, rules, call, ownTransaction)
                .flatMap(present -> started(attempt).doOnNext(entered -> {
                    if (present.isPresent() && rules.release() == Locked.Release.AFTER_TRANSACTION) {
                        entered.ifPresent(section -> keep(present.get(), section, attempt));
                    }
                }));
    }

    private Mono<Optional<ReactiveTransactions.Present>> present(
            Attempt attempt, LockRules rules, LockedCall call, BooleanSupplier ownTransaction) {
        Joining joining = rules.joining().orElseGet(context.settings()::joining);
        if (attempt.asksTheStore()) {
            return transactions.present(joining, call.names(), ownTransaction);
        }
        return transactions
                .present(Joining.HOLD, call.names(), ownTransaction)
                .flatMap(around -> around.isPresent()
                                && attempt.lenders().stream().anyMatch(around.get()::isBefore)
                        ? transactions.present(joining, call.names(), ownTransaction) // it began before the lock
                        : Mono.just(around));
    }

    /** What the call acquired, and what a call around would give back at its end. */
    private static void keep(ReactiveTransactions.Present present, Section section, Attempt attempt) {
        Holding own = section.own();
        if (own != null) {
            keep(present, own);
        }
        attempt.endingAtReturn().forEach(present::borrow);
    }

    private static void keep(ReactiveTransactions.Present present, Holding own) {
        own.share();
        try {
            present.keep(own);
        } catch (RuntimeException | Error failure) {
            own.releaseAsync();
            throw failure;
        }
    }

    /**
     * A subscriber that goes away does not cancel the future: the end of the attempt does. What is said then is a plain
     * cancellation, which Reactor expects; a wrapped one would be an error in its log.
     */
    private static Mono<Optional<Section>> started(Attempt attempt) {
        return Mono.defer(() -> {
            CompletableFuture<Optional<Section>> plain = new CompletableFuture<>();
            attempt.start().whenComplete((section, failure) -> {
                if (failure == null) {
                    plain.complete(section);
                } else {
                    boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
                    plain.completeExceptionally(wrapped ? failure.getCause() : failure);
                }
            });
            return Mono.fromFuture(plain, true);
        });
    }

    private static <T> Flux<T> inside(
            LockRules rules,
            Attempt attempt,
            Section section,
            Observation observation,
            Function<Section, Publisher<T>> body) {
        observation.acquired(section.leases());
        Flux<T> flux = Flux.defer(() -> body.apply(section));
        if (rules.onLost() == Locked.OnLost.INTERRUPT) {
            flux = flux.takeUntilOther(lost(section));
        }
        ContextLocks locks = new ContextLocks(attempt.holdings(section), section);
        Map<Object, Object> observed = observation.reactorContext();
        return flux.doOnComplete(section::ensureValid)
                .onErrorMap(section::explained)
                .doOnComplete(() -> observation.ended(LockedObserver.Outcome.ACQUIRED, null))
                .doOnError(failure -> observation.ended(
                        failure instanceof LockLostException
                                ? LockedObserver.Outcome.LOST
                                : LockedObserver.Outcome.ACQUIRED,
                        failure))
                .doOnCancel(() -> observation.ended(LockedObserver.Outcome.ACQUIRED, null))
                .contextWrite(outer -> locks.into(observed.isEmpty() ? outer : outer.putAllMap(observed)));
    }

    /** Fails when the first lease is lost. */
    private static Mono<Void> lost(Section section) {
        return Flux.fromIterable(section.leases())
                .flatMap(lease -> Mono.fromCompletionStage(lease.lost()))
                .next()
                .flatMap(reason -> Mono.<Void>fromRunnable(section::ensureValid));
    }

    /** For the end of the chain: the transaction of the method, wherever it began, asks before it commits. */
    <T> Flux<T> guarded(Publisher<T> publisher) {
        return Flux.deferContextual(view -> {
            ContextLocks locks = ContextLocks.of(view);
            return locks == null
                    ? publisher
                    : transactions.guard(locks.holdings()).thenMany(publisher);
        });
    }
}
