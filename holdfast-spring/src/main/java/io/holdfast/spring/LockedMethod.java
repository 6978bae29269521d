package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Locked} method, read and checked. */
record LockedMethod(
        Method method,
        NameTemplate template,
        LockRules rules,
        Locked.OnBusy onBusy,
        @Nullable Method fallback,
        Style style,
        List<Integer> heldParameters,
        boolean fenced) {

    /** How the method works. */
    enum Style {
        /** On the thread of its caller. */
        BLOCKING,
        /** Returns a future. */
        FUTURE,
        /** Returns a publisher of at most one value, or suspends. */
        ONE,
        /** Returns a publisher of many values. */
        MANY
    }

    LockedCall call(@Nullable Object[] arguments) {
        return new LockedCall(template.template(), rules.kind(), template.names(arguments), rules.client(), method);
    }

    boolean isReactive() {
        return style == Style.ONE || style == Style.MANY;
    }
}
