package io.holdfast.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes each transaction that begins under a lock ask that lock before it commits, however it is begun.
 *
 * <p>Only registers, and never throws: Spring leaves a transaction open on the thread whose listener threw in
 * {@code afterBegin}.
 */
final class CommitGuard implements TransactionExecutionListener {
    private static final System.Logger LOG = System.getLogger(CommitGuard.class.getName());

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure != null || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        try {
            List<Holding> held = ThreadLocks.current().holdings();
            if (!held.isEmpty()) {
                TransactionSynchronizationManager.registerSynchronization(new Asking(held));
            }
        } catch (RuntimeException unexpected) {
            LOG.log(System.Logger.Level.WARNING, "a transaction will not ask its locks before it commits", unexpected);
        }
    }

    private record Asking(List<Holding> held) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            Holding.ensureValid(held);
        }
    }
}
