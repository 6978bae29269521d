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
import org.jspecify.annotations.Nullable;

/**
 * Runs a call that returns a future: asks for its locks without a thread, then runs it on an executor, and gives back
 * when its future has ended. Cancelling the result leaves the line, or cancels the future of the call.
 */
final class FutureCalls {
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
        Attempt attempt;
        CompletableFuture<Optional<Section>> entered;
        try {
            attempt = new Attempt(
                    context, rules, call.names(), ThreadLocks.current().holdings());
            entered = attempt.start();
        } catch (RuntimeException | Error failure) {
            observation.failed(failure);
            throw failure;
        }
        Running running = new Running(attempt, observation);
        Executor executor = context.executor();
        entered.whenComplete((section, failure) -> running.guarded(() -> executor.execute(() -> running.guarded(() -> {
            if (failure != null) {
                observation.failed(unwrapped(failure));
                running.finish(null, failure);
            } else if (running.result.isDone()) {
                running.finish(null, new CancellationException());
            } else if (section.isEmpty()) {
                observation.ended(LockedObserver.Outcome.BUSY, null);
                Duration waited = Duration.ofNanos(TimeSource.system().nanoTime() - start);
                running.follow(() -> instead.run(call, waited));
            } else {
                running.inside(section.get(), body);
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

    /** One call on its way. */
    private static final class Running {
        private final Attempt attempt;
        private final Observation observation;
        private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        private volatile @Nullable Future<?> inner;

        Running(Attempt attempt, Observation observation) {
            this.attempt = attempt;
            this.observation = observation;
            result.whenComplete((value, failure) -> {
                if (result.isCancelled()) {
                    cancelled();
                }
            });
        }

        /** What was begun is cancelled and ends by itself; what was not begun is given up. */
        private void cancelled() {
            observation.failed(new CancellationException());
            Future<?> begun = inner;
            if (begun != null) {
                begun.cancel(true);
            } else {
                attempt.giveUp();
            }
        }

        private void guarded(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error failure) {
                finish(null, failure);
            }
        }

        private void inside(Section section, BlockingCalls.Body<? extends @Nullable Object, Throwable> body) {
            observation.acquired(section.leases());
            follow(() -> {
                ThreadLocks thread = ThreadLocks.current();
                List<Holding> lent = attempt.holdings(section);
                lent.forEach(thread::add);
                thread.enter(section);
                try (LockedObserver.Scope scope = observation.open()) {
                    return checked(body.run(section), section);
                } catch (Throwable failure) {
                    throw section.explained(failure);
                } finally {
                    thread.leave();
                    lent.forEach(thread::remove);
                }
            });
        }

        /** The result of the body, dropped if the lock was lost until it ended. */
        private static @Nullable Object checked(@Nullable Object begun, Section section) {
            if (!(begun instanceof CompletionStage<?> stage)) {
                return begun;
            }
            CompletableFuture<Object> inner = stage.toCompletableFuture()
                    .handle((value, failure) -> {
                        if (failure != null) {
                            throw new CompletionException(section.explained(unwrapped(failure)));
                        }
                        section.ensureValid();
                        return value;
                    })
                    .thenApply(value -> value);
            inner.whenComplete((value, failure) -> {
                if (inner.isCancelled()) {
                    stage.toCompletableFuture().cancel(true);
                }
            });
            return inner;
        }

        private void follow(Step step) {
            Object begun;
            try {
                begun = step.run();
            } catch (Throwable failure) {
                finish(null, failure);
                return;
            }
            if (begun instanceof CompletionStage<?> stage) {
                inner = stage.toCompletableFuture();
                if (result.isCancelled()) {
                    stage.toCompletableFuture().cancel(true);
                }
                stage.whenComplete(this::finish);
            } else if (begun instanceof Future<?> future) {
                inner = future;
                await(future);
            } else {
                finish(begun, null);
            }
        }

        /** A future that tells nobody when it has ended. */
        private void await(Future<?> future) {
            try {
                finish(future.get(), null);
            } catch (ExecutionException failed) {
                finish(null, failed.getCause() == null ? failed : failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                future.cancel(true);
                finish(null, interrupted);
            } catch (CancellationException cancelled) {
                finish(null, cancelled);
            }
        }

        private void finish(@Nullable Object value, @Nullable Throwable failure) {
            Throwable cause = failure == null ? null : unwrapped(failure);
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
