package io.holdfast.spring;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What calls on threads have to know of transactions. One implementation knows Spring's, the other knows of none. */
interface Transactions {

    /** A transaction of this thread that was there before the lock. */
    interface Present {

        /**
         * Leaves the lock to the transaction: given back when that has ended, and asked before it commits.
         *
         * @param holding with one user for the transaction
         */
        void keep(Holding holding);

        /**
         * Leaves a lock to the transaction that a call around would give back at its return; once is enough.
         *
         * @param holding gets one user more, for the transaction
         */
        void borrow(Holding holding);

        /**
         * Tells whether the transaction is older than a lock.
         *
         * @param holding what a call leans on
         * @return true if it was acquired in the transaction and left to it
         */
        boolean isBefore(Holding holding);
    }

    /**
     * Looks for a transaction that was there before.
     *
     * @param joining what to do about it
     * @param names what is to be locked
     * @param ownTransaction whether the call takes no part in it; asked only if there is one
     * @return null if there is none
     * @throws LockedTooLateException if it must not be joined
     */
    @Nullable
    Present present(Joining joining, List<String> names, BooleanSupplier ownTransaction);

    /**
     * Tells whether a transaction of its own, or none, waits inside the lock, so that the call takes no part in one
     * that was there before.
     *
     * @param invocation seen from the advice that locks
     * @return true for {@code REQUIRES_NEW} and {@code NOT_SUPPORTED} inside
     */
    boolean isOwn(MethodInvocation invocation);
}
