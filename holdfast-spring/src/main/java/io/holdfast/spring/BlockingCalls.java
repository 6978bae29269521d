package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * Runs a call under its locks on the thread of its caller.
 *
 * <p>The way in: what the thread holds is not asked for again; a transaction that was there before may refuse; then the
 * rest is acquired. The way out: a caller that lost a lock gets no result; the lock is given back, or left to the
 * transaction.
 */
final class BlockingCalls implements AopInfrastructureBean {

    /**
     * What is done under the lock.
     *
     * @param <T> the result
     * @param <X> what it may throw
     */
    @FunctionalInterface
    interface Body<T extends @Nullable Object, X extends Throwable> {
        @Nullable
        T run(Section section) throws X;
    }

    /**
     * What is done instead when somebody else has the lock.
     *
     * @param <T> the result
     * @param <X> what it may throw
     */
    @FunctionalInterface
    interface Instead<T extends @Nullable Object, X extends Throwable> {
        @Nullable
        T run(LockedCall call, Duration waited) throws X;
    }

    private final LocksContext context;
    private final Transactions transactions;

    BlockingCalls(LocksContext context, Transactions transactions) {
        this.context = context;
        this.transactions = transactions;
    }

    LockedCall describe(LockRules rules, List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("there is no name to lock, expected at least one");
        }
        return new LockedCall(context.groups().groupOf(names.get(0)), rules.kind(), names, rules.client(), null);
    }

    static LockBusyException busy(LockedCall call, Duration waited) {
        return new LockBusyException(LeaseTaker.lockKind(call.kind()), call.names(), waited);
    }

    <T extends @Nullable Object, X extends Throwable> @Nullable T run(
            LockRules rules, LockedCall call, Body<T, X> body, Instead<T, X> instead) throws X {
        return run(rules, call, () -> false, body, instead);
    }

    /**
     * {@code ownTransaction} tells whether the body has a transaction of its own, or none, whatever there was before.
     */
    <T extends @Nullable Object, X extends Throwable> @Nullable T run(
            LockRules rules, LockedCall call, BooleanSupplier ownTransaction, Body<T, X> body, Instead<T, X> instead)
            throws X {
        Observation observation = Observation.start(context.observers(), call);
        ThreadLocks thread = ThreadLocks.current();
        long start = TimeSource.system().nanoTime();
        Section section;
        try {
            section = enter(thread, rules, call.names(), ownTransaction);
        } catch (RuntimeException | Error failure) {
            observation.failed(failure);
            throw failure;
        }
        if (section == null) {
            observation.ended(LockedObserver.Outcome.BUSY, null);
            return instead.run(call, Duration.ofNanos(TimeSource.system().nanoTime() - start));
        }
        return inside(thread, rules, section, observation, body);
    }

    /** Returns null when somebody else had a name until the time was up. */
    private @Nullable Section enter(
            ThreadLocks thread, LockRules rules, List<String> names, BooleanSupplier ownTransaction) {
        LockClient client = context.client(rules.client());
        Cover cover = Cover.of(thread.holdings(), client.id(), rules.kind(), names);
        LeastTime.check(client, rules);
        Joining joining = rules.joining().orElseGet(context.settings()::joining);
        if (cover.missing().isEmpty()) {
            Transactions.Present around = transactions.present(Joining.HOLD, names, ownTransaction);
            if (around != null && cover.lenders().stream().anyMatch(around::isBefore)) {
                transactions.present(joining, names, ownTransaction); // it began before the lock, whoever acquired that
            }
            if (around != null) {
                cover.endingAtReturn(rules).forEach(around::borrow);
            }
            cover.staysFor(rules);
            return cover.section(null);
        }
        Transactions.Present present = transactions.present(joining, names, ownTransaction);
        Optional<List<Lease>> taken = take(new LeaseTaker(client, rules), cover.missing(), rules);
        if (taken.isEmpty()) {
            return null;
        }
        Holding holding = new Holding(client.id(), rules, taken.get());
        if (present != null && rules.release() == Locked.Release.AFTER_TRANSACTION) {
            keep(present, holding);
            cover.endingAtReturn(rules).forEach(present::borrow);
        }
        cover.staysFor(rules);
        thread.add(holding);
        return cover.section(holding);
    }

    /** The transaction is one more user, beside this call. */
    private static void keep(Transactions.Present present, Holding holding) {
        holding.share();
        try {
            present.keep(holding);
        } catch (RuntimeException | Error failure) {
            holding.release();
            holding.release();
            throw failure;
        }
    }

    private Optional<List<Lease>> take(LeaseTaker taker, List<String> missing, LockRules rules) {
        try {
            return taker.take(missing, rules.waitFor().orElseGet(context.settings()::waitFor));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedWait(missing, interrupted);
        }
    }

    private static <T extends @Nullable Object, X extends Throwable> @Nullable T inside(
            ThreadLocks thread, LockRules rules, Section section, Observation observation, Body<T, X> body) throws X {
        observation.acquired(section.leases());
        thread.enter(section);
        LossInterrupt interrupt =
                rules.onLost() == Locked.OnLost.INTERRUPT ? new LossInterrupt(section.leases()) : null;
        Throwable failure = null;
        try (LockedObserver.Scope scope = observation.open()) {
            T result = body.run(section);
            section.ensureValid();
            return result;
        } catch (Throwable thrown) {
            failure = section.explained(thrown);
            throw BlockingCalls.<X>as(failure);
        } finally {
            if (interrupt != null) {
                interrupt.leave();
            }
            leave(thread, section);
            observation.ended(
                    failure instanceof LockLostException
                            ? LockedObserver.Outcome.LOST
                            : LockedObserver.Outcome.ACQUIRED,
                    failure);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // it came out of the body, or is unchecked
    private static <X extends Throwable> X as(Throwable thrown) {
        return (X) thrown;
    }

    private static void leave(ThreadLocks thread, Section section) {
        Holding own = section.own();
        if (own != null) {
            own.release();
            if (own.isReleased()) {
                thread.remove(own);
            }
        }
        thread.leave();
    }
}
