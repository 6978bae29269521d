package io.holdfast.spring;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** The advice around a {@link Locked} method: chooses how it is run by what it returns. */
final class LockedInterceptor implements LockAdvice {
    private final LockedMethods methods;
    private final BlockingCalls blocking;
    private final FutureCalls futures;
    private final Transactions transactions;
    private final Supplier<CallHandler> reactive;

    LockedInterceptor(
            LockedMethods methods,
            BlockingCalls blocking,
            FutureCalls futures,
            Transactions transactions,
            Supplier<CallHandler> reactive) {
        this.methods = methods;
        this.blocking = blocking;
        this.futures = futures;
        this.transactions = transactions;
        this.reactive = reactive;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LockedMethod locked = methods.find(invocation.getMethod(), target == null ? null : target.getClass());
        if (locked == null) {
            return invocation.proceed();
        }
        return switch (locked.style()) {
            case BLOCKING -> block(locked, invocation);
            case FUTURE -> begin(locked, invocation);
            case ONE, MANY -> reactive.get().handle(locked, invocation);
        };
    }

    private @Nullable Object block(LockedMethod locked, MethodInvocation invocation) throws Throwable {
        LockedCall call = locked.call(invocation.getArguments());
        try {
            return blocking.<@Nullable Object, Throwable>run(
                    locked.rules(),
                    call,
                    () -> transactions.isOwn(invocation),
                    section -> {
                        HeldArguments.fill(locked, invocation, section);
                        return ended(invocation.proceed());
                    },
                    (same, waited) -> {
                        Object other = Busy.instead(locked, invocation, same, waited);
                        return other != null ? other : nothing(locked);
                    });
        } catch (InterruptedWait interrupted) {
            if (interrupted.getCause() != null && declaresInterrupts(locked)) {
                Thread.interrupted();
                throw interrupted.getCause();
            }
            throw interrupted;
        }
    }

    /** With {@code @Async} the caller has a future, and that comes to nothing. */
    private static @Nullable Object nothing(LockedMethod locked) {
        ResolvableType result = ResolvableType.forMethodReturnType(locked.method());
        boolean future = result.toClass() != Object.class && result.toClass().isAssignableFrom(CompletableFuture.class);
        return future ? CompletableFuture.completedFuture(Busy.nothing(result.getGeneric(0))) : Busy.nothing(result);
    }

    private static boolean declaresInterrupts(LockedMethod locked) {
        return Arrays.stream(locked.method().getExceptionTypes())
                .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    }

    /**
     * With {@code @Async} this is the thread of the work, and a future that has not ended is waited for. Who interrupts
     * the thread, as {@code cancel(true)} does, cancels that future: it must not go on without the lock.
     */
    private static @Nullable Object ended(@Nullable Object result) {
        Future<?> future = result instanceof CompletionStage<?> stage
                ? stage.toCompletableFuture()
                : result instanceof Future<?> plain ? plain : null;
        if (future != null) {
            try {
                Object unused = future.get();
            } catch (InterruptedException interrupted) {
                future.cancel(true);
                Thread.currentThread().interrupt();
            } catch (java.util.concurrent.ExecutionException | RuntimeException failed) {
                return result; // whoever has the future is told
            }
        }
        return result;
    }

    private Object begin(LockedMethod locked, MethodInvocation invocation) {
        return futures.run(
                locked.rules(),
                locked.call(invocation.getArguments()),
                section -> HeldArguments.copy(locked, invocation, section).proceed(),
                (call, waited) -> {
                    Object other = Busy.instead(locked, invocation, call, waited);
                    return other != null
                            ? other
                            : Busy.nothing(ResolvableType.forMethodReturnType(locked.method())
                                    .getGeneric(0));
                });
    }
}
