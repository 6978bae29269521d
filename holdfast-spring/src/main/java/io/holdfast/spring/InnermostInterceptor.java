package io.holdfast.spring;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The advice at the end of the chain, inside of the transaction whatever the orders say: enters the fence, and makes a
 * reactive transaction ask before it commits.
 */
final class InnermostInterceptor implements MethodInterceptor {
    private final LockedMethods methods;
    private final Supplier<Consumer<Section>> fence;
    private final Supplier<CallHandler> reactive;

    InnermostInterceptor(LockedMethods methods, Supplier<Consumer<Section>> fence, Supplier<CallHandler> reactive) {
        this.methods = methods;
        this.fence = fence;
        this.reactive = reactive;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LockedMethod locked = methods.find(invocation.getMethod(), target == null ? null : target.getClass());
        if (locked != null && locked.isReactive()) {
            return reactive.get().innermost(invocation);
        }
        if (locked != null && locked.fenced()) {
            Section section = ThreadLocks.current().innermost();
            if (section == null) {
                throw new IllegalStateException("the fence of " + locked.method()
                        + " was reached without its lock: another advice ran it on another thread");
            }
            fence.get().accept(section);
        }
        return invocation.proceed();
    }
}
