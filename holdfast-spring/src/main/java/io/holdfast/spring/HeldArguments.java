package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Puts leases where a method has {@link Held} parameters. */
final class HeldArguments {
    private HeldArguments() {}

    /** The call with its leases, as one that can be made besides this one. */
    static MethodInvocation copy(LockedMethod locked, MethodInvocation invocation, Section section) {
        @Nullable Object[] arguments = with(locked, invocation.getArguments(), section.leases());
        return ((ProxyMethodInvocation) invocation).invocableClone(arguments);
    }

    /** The call itself, with its leases. */
    static void fill(LockedMethod locked, MethodInvocation invocation, Section section) {
        if (!locked.heldParameters().isEmpty()) {
            ((ProxyMethodInvocation) invocation)
                    .setArguments(with(locked, invocation.getArguments(), section.leases()));
        }
    }

    private static @Nullable Object[] with(LockedMethod locked, @Nullable Object[] arguments, List<Lease> leases) {
        @Nullable Object[] filled = arguments.clone();
        for (int index : locked.heldParameters()) {
            if (locked.method().getParameterTypes()[index] == List.class) {
                filled[index] = leases;
            } else if (leases.size() == 1) {
                filled[index] = leases.get(0);
            } else {
                throw new IllegalStateException(locked.method() + " locked " + leases.size()
                        + " names, and its @Held Lease is one; make it a @Held List<Lease>");
            }
        }
        return filled;
    }
}
