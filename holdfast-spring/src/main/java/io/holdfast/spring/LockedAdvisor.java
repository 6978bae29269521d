package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Puts an advice before {@link Locked} methods, or some of them. */
@SuppressWarnings("serial") // advisors are not stored
final class LockedAdvisor extends AbstractPointcutAdvisor {
    private final transient Pointcut pointcut;
    private final transient MethodInterceptor advice;
    private final transient IntSupplier order;

    LockedAdvisor(LockedMethods methods, Predicate<LockedMethod> which, MethodInterceptor advice, IntSupplier order) {
        this.pointcut = new Matcher(methods, which);
        this.advice = advice;
        this.order = order;
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public MethodInterceptor getAdvice() {
        return advice;
    }

    @Override
    public int getOrder() {
        return order.getAsInt();
    }

    private static final class Matcher extends StaticMethodMatcherPointcut {
        private final LockedMethods methods;
        private final Predicate<LockedMethod> which;

        Matcher(LockedMethods methods, Predicate<LockedMethod> which) {
            this.methods = methods;
            this.which = which;
            setClassFilter(methods::isIn);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            LockedMethod locked = methods.find(method, targetClass);
            return locked != null && which.test(locked);
        }
    }
}
