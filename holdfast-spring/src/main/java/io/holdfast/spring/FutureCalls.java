package io.holdfast.spring;

import io.holdfast.LockLostException;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * Runs a call that returns a future: asks for its locks without a thread, then runs it on an executor, and gives back
 * when its future has ended. Cancelling the result leaves the line, or cancels the future of the call.
 */
final class FutureCalls implements AopInfrastructureBean {
    private final LocksContext context;

    FutureCalls(LocksContext context) {
        this.context = context;
    }

    /** {@code body} and {@code instead} return futures; both run on the executor. */
    CompletableFuture<@Nullable Object> run(
            LockRules rules,
            LockedCall call,
            BlockingCalls.Body<? extends @Nullable Object, Throwable> body,
            BlockingCalls.Instead<? extends @Nullable Object, Throwable> instead) {
        Observation observation = Observation.start(context.observers(), call);
        long start = TimeSource.system().nanoTime();
        Executor executor;
        Attempt attempt;
        CompletableFuture<Optional<Section>> entered;
        try {
            executor = context.executor(); // first: who fails later leaves a lock behind
            attempt = new Attempt(
                    context, rules, call.names(), ThreadLocks.current().holdings());
            entered = attempt.start();
        } catch (RuntimeException | Error failure) {
            observation.failed(failure);
            throw failure;
        }
        Running running = new Running(attempt, observation);
        entered.whenComplete((section, failure) -> running.guarded(() -> executor.execute(() -> running.guarded(() -> {
            if (failure != null) {
                running.finish(null, failure);
            } else if (!running.begins()) {
                observation.failed(new CancellationException());
                running.finish(null, new CancellationException());
            } else if (section.isEmpty()) {
                observation.ended(LockedObserver.Outcome.BUSY, null);
                Duration waited = Duration.ofNanos(TimeSource.system().nanoTime() - start);
                running.follow(() -> instead.run(call, waited), null);
            } else {
                running.inside(rules, section.get(), body);
            }
        }))));
        return running.result;
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** What throws as it likes. */
    private interface Step {
        @Nullable
        Object run() throws Throwable;
    }

    /**
     * One call on its way.
     *
     * <p>Races: its result is cancelled, or its lock lost, while the executor begins it. {@link #begun} says who was
     * first; {@link #cancels} is read after {@link #inner} was written, and the other way round, so that one of the two
     * sees the other.
     */
    private static final class Running {
        private final Attempt attempt;
        private final Observation observation;
        private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        private final AtomicBoolean begun = new AtomicBoolean();
        private volatile @Nullable Future<?> inner;
        private volatile boolean cancels;

        Running(Attempt attempt, Observation observation) {
            this.attempt = attempt;
            this.observation = observation;
            result.whenComplete((value, failure) -> {
                if (result.isCancelled()) {
                    cancelled();
                }
            });
        }

        /** Returns false if the result was cancelled before. */
        private boolean begins() {
            return begun.compareAndSet(false, true);
        }

        /** What was begun is cancelled and ends by itself; what was not begun is given up. */
        private void cancelled() {
            if (begins()) {
                observation.failed(new CancellationException());
                attempt.giveUp();
            } else {
                cancelInner();
            }
        }

        private void cancelInner() {
            cancels = true;
            Future<?> future = inner;
            if (future != null) {
                future.cancel(true);
            }
        }

        private void guarded(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error failure) {
                finish(null, failure);
            }
        }

        private void inside(
                LockRules rules, Section section, BlockingCalls.Body<? extends @Nullable Object, Throwable> body) {
            observation.acquired(section.leases());
            boolean interrupts = rules.onLost() == Locked.OnLost.INTERRUPT;
            if (interrupts) {
                section.leases().forEach(lease -> lease.onLost(reason -> cancelInner()));
            }
            follow(
                    () -> {
                        ThreadLocks thread = ThreadLocks.current();
                        List<Holding> lent = attempt.holdings(section);
                        lent.forEach(thread::add);
                        thread.enter(section);
                        LossInterrupt interrupt = interrupts ? new LossInterrupt(section.leases()) : null;
                        try (LockedObserver.Scope scope = observation.open()) {
                            return body.run(section);
                        } finally {
                            if (interrupt != null) {
                                interrupt.leave();
                            }
                            thread.leave();
                            lent.forEach(thread::remove);
                        }
                    },
                    section);
        }

        /** Takes a step and waits for the future that it returns; without a section there is no lock. */
        private void follow(Step step, @Nullable Section section) {
            Object made;
            try {
                made = step.run();
            } catch (Throwable failure) {
                checked(section, null, failure);
                return;
            }
            if (made instanceof CompletionStage<?> stage) {
                CompletableFuture<?> future = stage.toCompletableFuture();
                runs(future);
                future.whenComplete((value, failure) -> checked(section, value, failure));
            } else if (made instanceof Future<?> future) {
                runs(future);
                await(section, future);
            } else {
                checked(section, made, null);
            }
        }

        private void runs(Future<?> future) {
            inner = future;
            if (cancels) {
                future.cancel(true);
            }
        }

        /** A future that tells nobody when it has ended. */
        private void await(@Nullable Section section, Future<?> future) {
            try {
                checked(section, future.get(), null);
            } catch (ExecutionException failed) {
                checked(section, null, failed.getCause() == null ? failed : failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                future.cancel(true);
                checked(section, null, interrupted);
            } catch (CancellationException cancelled) {
                checked(section, null, cancelled);
            }
        }

        /** The result is dropped if the lock was lost until it came. */
        private void checked(@Nullable Section section, @Nullable Object value, @Nullable Throwable failure) {
            if (section == null) {
                finish(value, failure);
            } else if (failure != null) {
                finish(null, section.explained(unwrapped(failure)));
            } else {
                try {
                    section.ensureValid();
                } catch (RuntimeException lost) {
                    finish(null, lost);
                    return;
                }
                finish(value, null);
            }
        }

        private void finish(@Nullable Object value, @Nullable Throwable failure) {
            Throwable cause = failure == null ? null : unwrapped(failure);
            if (cause != null && !begun.get()) {
                observation.failed(cause);
            }
            observation.ended(
                    cause instanceof LockLostException ? LockedObserver.Outcome.LOST : LockedObserver.Outcome.ACQUIRED,
                    cause);
            attempt.end().whenComplete((done, ignored) -> {
                if (cause == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(cause);
                }
            });
        }
    }
}
