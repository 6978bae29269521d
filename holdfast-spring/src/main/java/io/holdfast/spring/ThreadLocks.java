package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one thread holds: the holdings it may lean on, and the calls it is in. Used by that thread only.
 *
 * <p>A holding is here from its acquisition until it is given back, also while only a transaction keeps it. One that
 * another thread gave back, as some transaction managers do, is found to be released and dropped.
 */
final class ThreadLocks {
    private static final ThreadLocal<ThreadLocks> CURRENT = ThreadLocal.withInitial(ThreadLocks::new);

    private final List<Holding> holdings = new ArrayList<>(2);
    private final Deque<Section> sections = new ArrayDeque<>(2);

    private ThreadLocks() {}

    static ThreadLocks current() {
        return CURRENT.get();
    }

    /** Returns what is held now, oldest first; a copy. */
    List<Holding> holdings() {
        if (holdings.isEmpty()) {
            return List.of();
        }
        holdings.removeIf(Holding::isReleased);
        return List.copyOf(holdings);
    }

    void add(Holding holding) {
        holdings.add(holding);
    }

    void remove(Holding holding) {
        holdings.remove(holding);
        forgetIfEmpty();
    }

    /** Returns null outside of all calls. */
    @Nullable
    Section innermost() {
        return sections.peek();
    }

    void enter(Section section) {
        sections.push(section);
    }

    void leave() {
        sections.pop();
        forgetIfEmpty();
    }

    private void forgetIfEmpty() {
        if (holdings.isEmpty() && sections.isEmpty()) {
            CURRENT.remove();
        }
    }

    HeldLocks view() {
        if (holdings.isEmpty() && sections.isEmpty()) {
            return HeldLocks.none();
        }
        Section innermost = sections.peek();
        List<Lease> all = new ArrayList<>();
        holdings().forEach(holding -> addMissing(all, holding.leases()));
        for (Iterator<Section> outwards = sections.descendingIterator(); outwards.hasNext(); ) {
            addMissing(all, outwards.next().leases());
        }
        return new HeldLocks(innermost == null ? List.of() : innermost.leases(), List.copyOf(all));
    }

    private static void addMissing(List<Lease> all, List<Lease> more) {
        for (Lease lease : more) {
            if (!all.contains(lease)) {
                all.add(lease);
            }
        }
    }
}
