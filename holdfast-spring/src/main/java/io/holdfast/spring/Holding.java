package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What one call acquired, given back when the last of its users has ended.
 *
 * <p>Users: the call itself, or the transaction to which the call left it; and calls without a thread that were made
 * under it and may outlive it. {@link #share} counts one more, {@link #release} one less, and with the last one the
 * leases are closed.
 *
 * <p>Races: a user of another thread shares it while the last one gives it back. Then {@link #share} says no.
 */
final class Holding {
    private final String clientId;
    private final Locked.Kind kind;
    private final List<Lease> leases;
    private final boolean atReturn;
    private final Map<Lease, LeastTime> least = new ConcurrentHashMap<>(1);
    private final AtomicInteger users = new AtomicInteger(1);

    Holding(String clientId, LockRules rules, List<Lease> leases) {
        this.clientId = clientId;
        this.kind = rules.kind();
        this.leases = leases;
        this.atReturn = rules.release() == Locked.Release.AT_RETURN;
        leases.forEach(lease -> staysFor(lease, rules));
    }

    List<Lease> leases() {
        return leases;
    }

    /** Whether the call that acquired it leaves nothing to a transaction that was there before. */
    boolean endsAtReturn() {
        return atReturn;
    }

    /** A call that leans on a lease may want it to stay taken for longer than the call that acquired it. */
    void staysFor(Lease lease, LockRules rules) {
        rules.atLeastFor().ifPresent(time -> least.merge(lease, new LeastTime(time), LeastTime::later));
    }

    /** Returns the lease that lets its holder in, or null. */
    @Nullable
    Lease covering(String client, Locked.Kind wanted, String name) {
        if (isReleased() || !clientId.equals(client) || !sameSpace(wanted)) {
            return null;
        }
        for (Lease lease : leases) {
            if (lease.name().equals(name)) {
                refuseUpgrade(wanted, name);
                return lease;
            }
        }
        return null;
    }

    private boolean sameSpace(Locked.Kind wanted) {
        return kind == wanted || (isReadWrite(kind) && isReadWrite(wanted));
    }

    private static boolean isReadWrite(Locked.Kind kind) {
        return kind == Locked.Kind.READ || kind == Locked.Kind.WRITE;
    }

    private void refuseUpgrade(Locked.Kind wanted, String name) {
        if (kind == Locked.Kind.READ && wanted == Locked.Kind.WRITE) {
            throw new IllegalStateException("'" + name + "' is held for reading here, and a reader that waits to write"
                    + " waits for itself. Lock it for writing from the beginning (kind = WRITE)");
        }
    }

    boolean isReleased() {
        return users.get() == 0;
    }

    /** Counts one more user, unless everything has been given back. */
    boolean share() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Counts one user less, and gives back with the last one. */
    void release() {
        if (isLast()) {
            for (int i = leases.size() - 1; i >= 0; i--) {
                close(leases.get(i));
            }
        }
    }

    /** As {@link #release}, without blocking the thread. */
    CompletableFuture<?> releaseAsync() {
        if (!isLast()) {
            return CompletableFuture.completedFuture(null);
        }
        if (!least.isEmpty()) { // to leave a lock taken asks the store on the thread that does it
            return CompletableFuture.runAsync(() -> leases.forEach(this::close));
        }
        return CompletableFuture.allOf(leases.stream().map(Lease::closeAsync).toArray(CompletableFuture[]::new));
    }

    private void close(Lease lease) {
        LeastTime time = least.get(lease);
        if (time != null) {
            time.close(lease);
        } else {
            lease.close();
        }
    }

    private boolean isLast() {
        return users.getAndUpdate(count -> Math.max(0, count - 1)) == 1;
    }

    void ensureValid() {
        leases.forEach(Lease::ensureValid);
    }

    /** Asks those that nobody has given back yet. */
    static void ensureValid(List<Holding> held) {
        for (Holding holding : held) {
            if (!holding.isReleased()) {
                holding.ensureValid();
            }
        }
    }
}
