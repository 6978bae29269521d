package io.holdfast.spring;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Spring's transactions of a thread, by their synchronizations. */
final class SpringTransactions implements Transactions, AopInfrastructureBean {
    private static final boolean JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.ConnectionHolder", SpringTransactions.class.getClassLoader());

    @Override
    public @Nullable Present present(Joining joining, List<String> names, BooleanSupplier ownTransaction) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()
                || ownTransaction.getAsBoolean()) {
            return null;
        }
        if (joining == Joining.REFUSE) {
            throw new LockedTooLateException(names, "a transaction was there before, and joining is REFUSE");
        }
        if (joining == Joining.AUTO) {
            refuseSnapshots(names);
        }
        return OfThread.PRESENT;
    }

    @Override
    public boolean isOwn(MethodInvocation invocation) {
        if (!(invocation instanceof ProxyMethodInvocation call) || !(call.getProxy() instanceof Advised proxy)) {
            return false;
        }
        boolean inside = false;
        for (Advisor advisor : proxy.getAdvisors()) {
            if (advisor.getAdvice() instanceof LockAdvice) {
                inside = true;
            } else if (inside && advisor.getAdvice() instanceof TransactionInterceptor transactions) {
                return suspends(transactions, invocation);
            }
        }
        return false;
    }

    private static boolean suspends(TransactionInterceptor transactions, MethodInvocation invocation) {
        TransactionAttributeSource source = transactions.getTransactionAttributeSource();
        Object target = invocation.getThis();
        TransactionAttribute attribute = source == null
                ? null
                : source.getTransactionAttribute(
                        invocation.getMethod(), target == null ? null : AopUtils.getTargetClass(target));
        return attribute != null
                && (attribute.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                        || attribute.getPropagationBehavior() == TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    }

    private static void refuseSnapshots(List<String> names) {
        Integer level = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        if (JDBC) {
            level = JdbcIsolation.strictest(level == null ? TransactionDefinition.ISOLATION_DEFAULT : level);
        }
        if (level != null && level >= TransactionDefinition.ISOLATION_REPEATABLE_READ) {
            throw new LockedTooLateException(names, Isolations.why(level));
        }
    }

    private enum OfThread implements Present {
        PRESENT;

        @Override
        public void keep(Holding holding) {
            TransactionSynchronizationManager.registerSynchronization(new Keeping(holding, false));
        }

        @Override
        public void borrow(Holding holding) {
            if (keepers(holding).findAny().isEmpty() && holding.share()) {
                TransactionSynchronizationManager.registerSynchronization(new Keeping(holding, true));
            }
        }

        @Override
        public boolean isBefore(Holding holding) {
            return keepers(holding).anyMatch(each -> !each.borrows);
        }

        private static Stream<Keeping> keepers(Holding holding) {
            return TransactionSynchronizationManager.getSynchronizations().stream()
                    .filter(Keeping.class::isInstance)
                    .map(Keeping.class::cast)
                    .filter(each -> each.holding == holding);
        }
    }

    /**
     * Leaves a holding to the transaction. It asks before the commit; and it gives back when all others have heard of
     * the end. Listeners of {@code AFTER_COMMIT} are told in {@code afterCompletion}, in the order of their
     * registration; so what gives back is registered in {@code beforeCompletion}, when all others are there.
     */
    private static final class Keeping implements TransactionSynchronization, Ordered {
        private final Holding holding;
        private final boolean borrows;
        private boolean releasesLater;

        Keeping(Holding holding, boolean borrows) {
            this.holding = holding;
            this.borrows = borrows;
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            holding.ensureValid();
        }

        @Override
        public void beforeCompletion() {
            TransactionSynchronizationManager.registerSynchronization(new Releasing(holding));
            releasesLater = true;
        }

        @Override
        public void afterCompletion(int status) {
            if (!releasesLater) {
                giveBack(holding);
            }
        }
    }

    private record Releasing(Holding holding) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void afterCompletion(int status) {
            giveBack(holding);
        }
    }

    private static void giveBack(Holding holding) {
        holding.release();
        if (holding.isReleased()) {
            ThreadLocks.current().remove(holding);
        }
    }
}
