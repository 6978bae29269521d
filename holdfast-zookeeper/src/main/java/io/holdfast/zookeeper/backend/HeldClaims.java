package io.holdfast.zookeeper.backend;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.TimeSource;
import io.holdfast.zookeeper.backend.HeldClaim.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this client, and when they end: ZooKeeper itself ends them with the session only.
 *
 * <p><b>Invariant.</b> A claim that is here has a node, or may have one. A claim that is taken out has none, or its
 * node is being removed by whoever took it out.
 *
 * <p><b>Races.</b> Callers, ZooKeeper's thread and the maintenance meet here. One lock guards everything, and nothing
 * else is done under it. Whatever an answer changes is changed only if the claim is still the same one.
 */
final class HeldClaims {
    /** How long a claim keeps its place without asking again. An engine asks every second. */
    private static final long PLACE_NANOS = Duration.ofSeconds(20).toNanos();

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ClaimId, HeldClaim> claims = new HashMap<>();

    /** Those that wait, by the path of what they wait for. */
    private final Map<String, Set<HeldClaim>> waiting = new HashMap<>();

    /** What the maintenance has to do. */
    record Due(List<HeldClaim> ended, List<HeldClaim> unwatched) {}

    HeldClaims(TimeSource time) {
        this.time = time;
    }

    @Nullable
    HeldClaim get(ClaimId id) {
        lock.lock();
        try {
            return claims.get(id);
        } finally {
            lock.unlock();
        }
    }

    /** Notes a claim before a node is asked for. */
    HeldClaim ask(Claim claim, Session session, String parent) {
        long endNanos = time.nanoTime() + claim.lease().toNanos() + PLACE_NANOS;
        HeldClaim own = new HeldClaim(claim, session, parent, endNanos);
        lock.lock();
        try {
            HeldClaim old = claims.put(claim.id(), own);
            if (old != null) {
                goesOn(old);
            }
            return own;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a claim out; null if it is not here. */
    @Nullable
    HeldClaim end(ClaimId id) {
        lock.lock();
        try {
            HeldClaim own = claims.remove(id);
            if (own != null) {
                goesOn(own);
            }
            return own;
        } finally {
            lock.unlock();
        }
    }

    /** Takes this very claim out, and tells whether it was still here. */
    boolean end(HeldClaim own) {
        lock.lock();
        try {
            boolean here = claims.remove(own.claim.id(), own);
            if (here) {
                goesOn(own);
            }
            return here;
        } finally {
            lock.unlock();
        }
    }

    /** Its node is known now. False if the claim has ended meanwhile. */
    boolean stands(HeldClaim own, String path, long token) {
        return change(own, () -> {
            own.path = path;
            own.token = token;
        });
    }

    /** It waits, and has just asked, unless it was served meanwhile. False if the claim has ended. */
    boolean waits(HeldClaim own, int place) {
        return change(own, () -> {
            if (own.state != State.HELD) {
                own.state = State.WAITING;
                own.place = place;
                waiting.computeIfAbsent(own.parent, path -> new LinkedHashSet<>())
                        .add(own);
                own.endNanos = time.nanoTime() + PLACE_NANOS;
            }
        });
    }

    /** It holds for so long from now, or longer. False if the claim has ended meanwhile. */
    boolean holds(HeldClaim own, Duration left) {
        return change(own, () -> hold(own, left));
    }

    /** As {@link #holds}, if it waited; false also if it did not. */
    boolean isServed(HeldClaim own, Duration left) {
        boolean[] served = new boolean[1];
        change(own, () -> {
            served[0] = own.state == State.WAITING;
            if (served[0]) {
                hold(own, left);
            }
        });
        return served[0];
    }

    private void hold(HeldClaim own, Duration left) {
        long nowNanos = time.nanoTime();
        long endNanos = nowNanos + left.toNanos();
        boolean first = own.state != State.HELD;
        own.endNanos = first || endNanos - own.endNanos > 0 ? endNanos : own.endNanos;
        own.heldNanos = first ? nowNanos : own.heldNanos;
        goesOn(own);
        own.state = State.HELD;
    }

    /** It waits no more, if it did. */
    private void goesOn(HeldClaim own) {
        Set<HeldClaim> others = own.state == State.WAITING ? waiting.get(own.parent) : null;
        if (others != null && others.remove(own) && others.isEmpty()) {
            waiting.remove(own.parent);
        }
    }

    /** The lease that its node should tell instead of a shorter one; null if that is not so. */
    boolean tellsLess(HeldClaim own, Duration lease) {
        boolean[] less = new boolean[1];
        change(own, () -> {
            less[0] = own.told.compareTo(lease) < 0;
            own.told = less[0] ? lease : own.told;
        });
        return less[0];
    }

    /** Notes which node is watched for it; false if that one is watched already, or the claim does not wait. */
    boolean watches(HeldClaim own, String before) {
        boolean[] isNew = new boolean[1];
        change(own, () -> {
            isNew[0] = own.state == State.WAITING && !before.equals(own.watchedBefore);
            own.watchedBefore = before;
        });
        return isNew[0];
    }

    /** The node that is watched for a claim that waits; null if there is none. */
    @Nullable
    String watchedFor(HeldClaim own) {
        String[] before = new String[1];
        change(own, () -> before[0] = own.state == State.WAITING ? own.watchedBefore : null);
        return before[0];
    }

    /** No watch tells of the end of its own node any more. */
    void unwatched(HeldClaim own) {
        change(own, () -> own.watched = false);
    }

    private boolean change(HeldClaim own, Runnable change) {
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
    HeldClaim held(ClaimId id) {
        lock.lock();
        try {
            HeldClaim own = claims.get(id);
            return own != null && own.state == State.HELD && own.endNanos - time.nanoTime() > 0 ? own : null;
        } finally {
            lock.unlock();
        }
    }

    /** How long a claim of this client still lasts; null if it does not hold. */
    @Nullable
    Duration left(ClaimId id) {
        HeldClaim own = held(id);
        return own == null ? null : Duration.ofNanos(Math.max(0, own.endNanos - time.nanoTime()));
    }

    /**
     * Takes out what has ended, and finds what has been held for some time and is not watched yet; from now on that
     * counts as watched. All in one pass: a client may have thousands.
     */
    Due takeDue(long heldSinceNanos) {
        long nowNanos = time.nanoTime();
        List<HeldClaim> unwatched = new ArrayList<>();
        List<HeldClaim> ended = take(own -> {
            boolean over = nowNanos - own.endNanos >= 0;
            if (!over && own.state == State.HELD && !own.watched && own.heldNanos - heldSinceNanos <= 0) {
                own.watched = true;
                unwatched.add(own);
            }
            return over;
        });
        return new Due(ended, unwatched);
    }

    /** Takes out what ends with a session. Arrivals at a latch do not. */
    List<HeldClaim> takeOf(Session session) {
        return take(own -> own.session == session);
    }

    private List<HeldClaim> take(Predicate<HeldClaim> which) {
        List<HeldClaim> taken = new ArrayList<>();
        lock.lock();
        try {
            claims.values().removeIf(own -> which.test(own) && taken.add(own));
            taken.forEach(this::goesOn);
        } finally {
            lock.unlock();
        }
        return taken;
    }

    /** Those of a session that wait for the resource at a path. */
    List<HeldClaim> waiting(Session session, String parent) {
        return waiting(parent, own -> own.session == session);
    }

    /** Those of them for which this node is watched. */
    List<HeldClaim> behind(Session session, String parent, String node) {
        return waiting(parent, own -> own.session == session && node.equals(own.watchedBefore));
    }

    /** As {@link #behind}; from now on nothing is watched for them. */
    List<HeldClaim> takeBehind(Session session, String parent, String node) {
        return waiting(parent, own -> {
            boolean found = own.session == session && node.equals(own.watchedBefore);
            own.watchedBefore = found ? null : own.watchedBefore;
            return found;
        });
    }

    private List<HeldClaim> waiting(String parent, Predicate<HeldClaim> which) {
        lock.lock();
        try {
            return waiting.getOrDefault(parent, Set.of()).stream().filter(which).toList();
        } finally {
            lock.unlock();
        }
    }
}
