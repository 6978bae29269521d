package io.holdfast.spring;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * What {@link Locked} methods need whose transaction begins before their lock, because somebody changed the order of
 * the advice.
 *
 * <p>Those that return publishers: Spring's advice goes down the chain for each subscription, and the chain remembers
 * how far it came, so a second subscription would go past the lock. Each one gets a chain of its own, from before the
 * transaction on. Those that return futures are refused: they run on an executor, which has no part in the transaction.
 */
final class TransactionsAround implements BeanPostProcessor, AopInfrastructureBean {
    private final ObjectProvider<LockedMethods> methods;
    private final ObjectProvider<CallHandler> reactive;

    TransactionsAround(ObjectProvider<LockedMethods> methods, ObjectProvider<CallHandler> reactive) {
        this.methods = methods;
        this.reactive = reactive;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised proxy) {
            int before = transactionBeforeTheLock(proxy.getAdvisors());
            if (before >= 0) {
                Class<?> target = AopUtils.getTargetClass(bean);
                LockedMethods known = methods.getObject();
                Collection<LockedMethod> locked = known.all(target);
                TransactionInterceptor around = (TransactionInterceptor) proxy.getAdvisors()[before].getAdvice();
                locked.forEach(each -> check(each, around, target));
                if (locked.stream().anyMatch(LockedMethod::isReactive) && !proxy.isFrozen()) {
                    proxy.addAdvisor(
                            before,
                            new LockedAdvisor(
                                    known,
                                    LockedMethod::isReactive,
                                    invocation -> reactive.getObject().eachTime(invocation),
                                    () -> Ordered.LOWEST_PRECEDENCE));
                }
            }
        }
        return bean;
    }

    /** Returns -1 if there is none. */
    private static int transactionBeforeTheLock(Advisor[] advisors) {
        int transaction = -1;
        for (int i = 0; i < advisors.length; i++) {
            if (advisors[i].getAdvice() instanceof LockAdvice) {
                return transaction;
            }
            if (transaction < 0 && advisors[i].getAdvice() instanceof TransactionInterceptor) {
                transaction = i;
            }
        }
        return -1;
    }

    private static void check(LockedMethod locked, TransactionInterceptor around, @Nullable Class<?> target) {
        TransactionAttributeSource source = around.getTransactionAttributeSource();
        if (locked.style() == LockedMethod.Style.FUTURE
                && source != null
                && source.getTransactionAttribute(locked.method(), target) != null) {
            throw new InvalidLockedException(
                    locked.method(),
                    "",
                    "@Transactional",
                    "it returns a future and so runs on an executor, outside of the transaction that begins before its"
                            + " lock",
                    "Lock outside of the transaction (holdfast.locked.order, LockedSettings.order), return a value, or"
                            + " begin the transaction inside with a TransactionTemplate");
        }
    }
}
