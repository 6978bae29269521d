package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** What a Reactor context holds: as {@link ThreadLocks} for a thread, but immutable. */
record ContextLocks(List<Holding> holdings, Section section) {

    static @Nullable ContextLocks of(ContextView context) {
        return context.getOrDefault(ContextLocks.class, null);
    }

    static List<Holding> holdings(ContextView context) {
        ContextLocks locks = of(context);
        return locks == null ? List.of() : locks.holdings;
    }

    static HeldLocks view(ContextView context) {
        ContextLocks locks = of(context);
        if (locks == null) {
            return HeldLocks.none();
        }
        List<Lease> all = new ArrayList<>();
        locks.holdings.forEach(holding -> all.addAll(holding.leases()));
        return new HeldLocks(locks.section.leases(), List.copyOf(all));
    }

    Context into(Context context) {
        return context.put(ContextLocks.class, this);
    }
}
