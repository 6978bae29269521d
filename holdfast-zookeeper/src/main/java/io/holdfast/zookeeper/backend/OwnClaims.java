package io.holdfast.zookeeper.backend;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.TimeSource;
import io.holdfast.zookeeper.backend.OwnClaim.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this client, and when they end: ZooKeeper itself ends them with the session only.
 *
 * <p><b>Invariant.</b> A claim that is here has a node, or may have one. A claim that is taken out has none, or its
 * node is being removed by whoever took it out.
 *
 * <p><b>Races.</b> Callers, ZooKeeper's thread and the upkeep meet here. One lock guards everything, and nothing else
 * is done under it. Whatever an answer changes is changed only if the claim is still the same one.
 */
final class OwnClaims {
    /** How long a claim keeps its place without asking again. An engine asks every second. */
    private static final long PLACE_NANOS = Duration.ofSeconds(20).toNanos();

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ClaimId, OwnClaim> claims = new HashMap<>();

    OwnClaims(TimeSource time) {
        this.time = time;
    }

    @Nullable
    OwnClaim get(ClaimId id) {
        lock.lock();
        try {
            return claims.get(id);
        } finally {
            lock.unlock();
        }
    }

    /** Notes a claim before a node is asked for. */
    OwnClaim ask(Claim claim, Session session) {
        OwnClaim own =
                new OwnClaim(claim, session, time.nanoTime() + claim.lease().toNanos() + PLACE_NANOS);
        lock.lock();
        try {
            claims.put(claim.id(), own);
            return own;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a claim out; null if it is not here. */
    @Nullable
    OwnClaim end(ClaimId id) {
        lock.lock();
        try {
            return claims.remove(id);
        } finally {
            lock.unlock();
        }
    }

    /** Takes this very claim out, and tells whether it was still here. */
    boolean end(OwnClaim own) {
        lock.lock();
        try {
            return claims.remove(own.claim.id(), own);
        } finally {
            lock.unlock();
        }
    }

    /** Its node is known now. False if the claim has ended meanwhile. */
    boolean stands(OwnClaim own, String path, long token) {
        return change(own, () -> {
            own.path = path;
            own.token = token;
        });
    }

    /** It waits, and has just asked. False if the claim has ended meanwhile. */
    boolean waits(OwnClaim own) {
        return change(own, () -> {
            if (own.state != State.HELD) {
                own.state = State.WAITING;
            }
            own.endNanos = time.nanoTime() + PLACE_NANOS;
        });
    }

    /** It holds for so long from now, or longer. False if the claim has ended meanwhile. */
    boolean holds(OwnClaim own, Duration left) {
        return change(own, () -> hold(own, left));
    }

    /** As {@link #holds}, if it waited; false also if it did not. */
    boolean isServed(OwnClaim own, Duration left) {
        boolean[] served = new boolean[1];
        change(own, () -> {
            served[0] = own.state == State.WAITING;
            if (served[0]) {
                hold(own, left);
            }
        });
        return served[0];
    }

    private void hold(OwnClaim own, Duration left) {
        long nowNanos = time.nanoTime();
        long endNanos = nowNanos + left.toNanos();
        boolean first = own.state != State.HELD;
        own.endNanos = first || endNanos - own.endNanos > 0 ? endNanos : own.endNanos;
        own.heldNanos = first ? nowNanos : own.heldNanos;
        own.state = State.HELD;
    }

    /** The lease that its node should tell instead of a shorter one; null if that is not so. */
    boolean tellsLess(OwnClaim own, Duration lease) {
        boolean[] less = new boolean[1];
        change(own, () -> {
            less[0] = own.told.compareTo(lease) < 0;
            own.told = less[0] ? lease : own.told;
        });
        return less[0];
    }

    /** Notes who is watched for it; false if that one is watched already, or the claim does not wait. */
    boolean watches(OwnClaim own, @Nullable String before) {
        boolean[] isNew = new boolean[1];
        change(own, () -> {
            isNew[0] = own.state == State.WAITING && (before == null || !before.equals(own.watchedBefore));
            own.watchedBefore = before;
        });
        return isNew[0];
    }

    private boolean change(OwnClaim own, Runnable change) {
        lock.lock();
        try {
            boolean here = claims.get(own.claim.id()) == own;
            if (here) {
                change.run();
            }
            return here;
        } finally {
            lock.unlock();
        }
    }

    /** A claim that holds and whose lease has not ended; null if it is not so. */
    @Nullable
    OwnClaim held(ClaimId id) {
        lock.lock();
        try {
            OwnClaim own = claims.get(id);
            return own != null && own.state == State.HELD && own.endNanos - time.nanoTime() > 0 ? own : null;
        } finally {
            lock.unlock();
        }
    }

    /** How long a claim of this client still lasts; null if it does not hold. */
    @Nullable
    Duration left(ClaimId id) {
        OwnClaim own = held(id);
        return own == null ? null : Duration.ofNanos(Math.max(0, own.endNanos - time.nanoTime()));
    }

    /** Takes out what has ended. */
    List<OwnClaim> takeEnded() {
        long nowNanos = time.nanoTime();
        return take(own -> nowNanos - own.endNanos >= 0);
    }

    /** Takes out what ends with a session. Arrivals at a latch do not. */
    List<OwnClaim> takeOf(Session session) {
        return take(own -> own.session == session);
    }

    private List<OwnClaim> take(Predicate<OwnClaim> which) {
        List<OwnClaim> taken = new ArrayList<>();
        lock.lock();
        try {
            claims.values().removeIf(own -> which.test(own) && taken.add(own));
        } finally {
            lock.unlock();
        }
        return taken;
    }

    /** Those that have been held for some time and are not watched yet; from now on they count as watched. */
    List<OwnClaim> toWatch(long sinceNanos) {
        List<OwnClaim> found = new ArrayList<>();
        lock.lock();
        try {
            for (OwnClaim own : claims.values()) {
                if (own.state == State.HELD && !own.watched && own.heldNanos - sinceNanos <= 0) {
                    own.watched = true;
                    found.add(own);
                }
            }
        } finally {
            lock.unlock();
        }
        return found;
    }

    /** Those that wait for a resource. */
    List<OwnClaim> waiting(Predicate<OwnClaim> which) {
        lock.lock();
        try {
            return claims.values().stream()
                    .filter(own -> own.state == State.WAITING)
                    .filter(which)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return claims.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
