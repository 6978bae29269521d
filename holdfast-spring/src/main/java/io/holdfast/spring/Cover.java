package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of some names a caller holds already, by which leases of whom, and what is missing. */
record Cover(List<Lease> leases, List<Holding> lenders, List<String> missing) {

    /** {@code around} is what the caller holds, oldest first. Throws if a lease that covers was lost. */
    static Cover of(List<Holding> around, String client, Locked.Kind kind, List<String> names) {
        if (around.isEmpty()) {
            return new Cover(List.of(), List.of(), names);
        }
        List<Lease> leases = new ArrayList<>();
        List<Holding> lenders = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            Holding lender = null;
            Lease lease = null;
            for (int i = around.size() - 1; i >= 0 && lease == null; i--) {
                lender = around.get(i);
                lease = lender.covering(client, kind, name);
            }
            add(name, lender, lease, leases, lenders, missing);
        }
        return new Cover(leases, lenders, missing);
    }

    private static void add(
            String name,
            @Nullable Holding lender,
            @Nullable Lease lease,
            List<Lease> leases,
            List<Holding> lenders,
            List<String> missing) {
        if (lease == null || lender == null) {
            missing.add(name);
            return;
        }
        lease.ensureValid();
        leases.add(lease);
        if (!lenders.contains(lender)) {
            lenders.add(lender);
        }
    }

    /** What is borrowed stays taken for as long as the call that borrows it says. */
    void staysFor(LockRules rules) {
        if (rules.atLeastFor().isPresent()) {
            for (Lease lease : leases) {
                lenders.stream()
                        .filter(each -> each.leases().contains(lease))
                        .forEach(each -> each.staysFor(lease, rules));
            }
        }
    }

    /** What would be given back before a transaction has ended that the call leaves its lock to. */
    List<Holding> endingAtReturn(LockRules rules) {
        return lenders.isEmpty() || rules.release() == Locked.Release.AT_RETURN
                ? List.of()
                : lenders.stream().filter(Holding::endsAtReturn).toList();
    }

    Section section(@Nullable Holding own) {
        if (own == null) {
            return new Section(leases, null);
        }
        if (leases.isEmpty()) {
            return new Section(own.leases(), own);
        }
        List<Lease> all = new ArrayList<>(leases);
        all.addAll(own.leases());
        return new Section(all, own);
    }
}
