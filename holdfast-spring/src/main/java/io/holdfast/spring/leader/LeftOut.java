package io.holdfast.spring.leader;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;

/** What the caller of a method gets that was left out. */
final class LeftOut {
    private LeftOut() {}

    /** Refuses a method that cannot be left out. */
    static void check(Method method) {
        Class<?> type = method.getReturnType();
        if (type.isPrimitive() && type != void.class) {
            throw new IllegalStateException("@LeaderOnly on " + method + ": a process that does not lead has no " + type
                    + " to return; return nothing, an object or an Optional");
        }
        if (KotlinDetector.isSuspendingFunction(method) || isPublisher(type)) {
            throw new IllegalStateException("@LeaderOnly on " + method
                    + ": what it does after it has returned would go on when this process no longer leads; return a"
                    + " value, or ask Election.isLeader() in the publisher or the suspending function itself");
        }
        if (Modifier.isPrivate(method.getModifiers())
                || Modifier.isStatic(method.getModifiers())
                || Modifier.isFinal(method.getModifiers())) {
            throw new IllegalStateException("@LeaderOnly on " + method
                    + ": no proxy can leave out a private, static or final method; make it neither");
        }
    }

    private static boolean isPublisher(Class<?> type) {
        return type != Object.class
                && !type.isAssignableFrom(CompletableFuture.class)
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    static @Nullable Object valueOf(Class<?> type) {
        if (type == void.class || type == Void.class) {
            return null;
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type != Object.class && type.isAssignableFrom(CompletableFuture.class)) {
            return CompletableFuture.completedFuture(null);
        }
        return null;
    }
}
