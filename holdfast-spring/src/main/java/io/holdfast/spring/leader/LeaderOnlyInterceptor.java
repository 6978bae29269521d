package io.holdfast.spring.leader;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Lets a call through while this process leads, and tells the caller if the term was lost before it returned. */
final class LeaderOnlyInterceptor implements MethodInterceptor {
    private final Function<LeaderOnly, Election> elections;

    LeaderOnlyInterceptor(Function<LeaderOnly, Election> elections) {
        this.elections = elections;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Election election = elections.apply(marked(call));
        Lease term = election.enter();
        if (term == null) {
            return LeftOut.valueOf(call.getMethod().getReturnType());
        }
        try {
            Object result = proceed(call, term);
            term.ensureValid();
            return result;
        } finally {
            election.leave();
        }
    }

    private static @Nullable Object proceed(MethodInvocation call, Lease term) throws Throwable {
        try {
            return call.proceed();
        } catch (Throwable thrown) {
            try {
                term.ensureValid();
            } catch (LockLostException lost) {
                lost.addSuppressed(thrown);
                throw lost;
            }
            throw thrown;
        }
    }

    private static LeaderOnly marked(MethodInvocation call) {
        Object target = call.getThis();
        Method method = target == null
                ? call.getMethod()
                : AopUtils.getMostSpecificMethod(call.getMethod(), AopUtils.getTargetClass(target));
        return Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class));
    }
}
