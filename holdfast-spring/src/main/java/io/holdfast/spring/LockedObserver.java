package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Is told of each call of a {@link Locked} method and of {@link LockOperations}, from before the wait until the lock is
 * given back or kept for the transaction: for traces and logs. Beans of this type are found by themselves.
 *
 * <p><b>Guarantees.</b> Each {@link Observed} gets {@code ended} once, as the last of its calls but for a loss that is
 * told at the same time.
 *
 * <p><b>Threads.</b> {@code started}, {@code acquired}, {@code open} and {@code ended} come on the threads of the call;
 * for publishers and futures those may be different ones. {@code atRisk} and {@code lost} come on a thread of the lock
 * client and must be quick.
 *
 * <p><b>Failures.</b> An exception from an observer is logged and disturbs nothing.
 *
 * <p><b>Implementing.</b> For users: these interfaces will not get another abstract method.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockedObserver {

    /** How a call ended, as far as its lock is concerned. */
    enum Outcome {
        /** The method was run under the lock, whatever came of it. */
        ACQUIRED,
        /** Somebody else had it until the wait was over. */
        BUSY,
        /** The caller was interrupted, or cancelled, before the lock was there. */
        CANCELLED,
        /** The store could not be asked, or refused. */
        FAILED,
        /** The transaction began too early: {@link LockedTooLateException}. */
        LATE,
        /** The lock was lost before the method had ended. */
        LOST
    }

    /**
     * Begins to observe a call.
     *
     * @param call which lock, and whose call
     * @return is told what happens next
     */
    Observed started(LockedCall call);

    /**
     * One call that is observed.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @since 0.1
     */
    interface Observed {

        /**
         * The lock is there, and the method is about to run.
         *
         * @param leases one for each name, also those that the caller held before
         */
        default void acquired(List<Lease> leases) {}

        /** A renewal failed while there is time left. */
        default void atRisk() {}

        /**
         * The lock was lost.
         *
         * @param reason why
         */
        default void lost(LostReason reason) {}

        /**
         * Makes the observation the current one of this thread, while the method runs on it.
         *
         * @return is closed on the same thread
         */
        default Scope open() {
            return () -> {};
        }

        /**
         * Returns what the Reactor context gets while a publisher runs under the lock.
         *
         * @return keys and values to add
         */
        default Map<Object, Object> reactorContext() {
            return Map.of();
        }

        /**
         * The call is over.
         *
         * @param outcome what became of the lock
         * @param failure what the caller gets, or null
         */
        void ended(Outcome outcome, @Nullable Throwable failure);
    }

    /**
     * What {@link Observed#open} opened.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @since 0.1
     */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Makes the observation before it the current one again. */
        @Override
        void close();
    }
}
