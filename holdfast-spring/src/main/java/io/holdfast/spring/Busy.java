package io.holdfast.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** What a {@link Locked} method does when somebody else has the lock. */
final class Busy {
    private Busy() {}

    /** Throws, returns what the fallback returns, or null for a call that is left out. */
    static @Nullable Object instead(LockedMethod locked, MethodInvocation invocation, LockedCall call, Duration waited)
            throws Throwable {
        if (locked.onBusy() == Locked.OnBusy.THROW) {
            throw BlockingCalls.busy(call, waited);
        }
        Method fallback = locked.fallback();
        return fallback == null ? null : call(fallback, invocation);
    }

    private static @Nullable Object call(Method fallback, MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        ReflectionUtils.makeAccessible(fallback);
        if (KotlinDetector.isSuspendingFunction(fallback) && target != null) {
            return CoroutinesUtils.invokeSuspendingFunction(fallback, target, invocation.getArguments());
        }
        try {
            return fallback.invoke(target, invocation.getArguments());
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    /** What stands for nothing, in a result of this type. */
    static @Nullable Object nothing(ResolvableType result) {
        return result.toClass() == Optional.class ? Optional.empty() : null;
    }
}
