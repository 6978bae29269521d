package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The claims of this client that stand in lines, and what was seen of these lines last. */
final class OwnLines {
    /** So many of one client at one name are a crowd. */
    static final int CROWD = 32;

    /** Who is served so soon is looked after the more often. */
    private static final int NEAR = 3;

    /** Of one name; gone when no claim of ours is left in it. Changed inside the map only. */
    private static final class Line {
        private final AtomicInteger count = new AtomicInteger();
        private volatile long newestNanos;
        private volatile long movedNanos;
        private volatile @Nullable Sight sight;
    }

    private final Map<ClaimId, Resource> waiting = new ConcurrentHashMap<>();
    private final Map<Resource, Line> lines = new ConcurrentHashMap<>();

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean contains(ClaimId claim) {
        return waiting.containsKey(claim);
    }

    boolean contains(Resource resource) {
        return lines.containsKey(resource);
    }

    Set<Resource> names() {
        return lines.keySet();
    }

    /** Returns whether it was not there before. */
    boolean add(Claim claim, long nowNanos) {
        if (waiting.putIfAbsent(claim.id(), claim.resource()) != null) {
            return false;
        }
        lines.compute(claim.resource(), (name, known) -> {
            Line line = known == null ? new Line() : known;
            line.count.incrementAndGet();
            line.newestNanos = nowNanos;
            return line;
        });
        return true;
    }

    void remove(ClaimId claim) {
        Resource resource = waiting.isEmpty() ? null : waiting.remove(claim);
        if (resource != null) {
            lines.computeIfPresent(resource, (name, line) -> line.count.decrementAndGet() == 0 ? null : line);
        }
    }

    /** A line was seen as it was after a request of ours, or by looking. */
    void saw(Resource resource, LockRecord seen, long sentNanos, long nowMicros, long nowNanos) {
        if (!lines.containsKey(resource)) {
            return;
        }
        Sight fresh = new Sight(seen, sentNanos, nowMicros, waiting::containsKey);
        lines.computeIfPresent(resource, (name, line) -> {
            Sight last = line.sight;
            if (last == null || last.isBefore(fresh)) {
                line.sight = fresh;
                if (last == null || !last.hasTokenOf(fresh)) {
                    line.movedNanos = nowNanos;
                }
            }
            return line;
        });
    }

    /** What the database would say to a claim that asks again, if that is certain. Only in a crowd. */
    @Nullable
    AttemptResult answer(Claim claim, long nowNanos) {
        Line line = lines.get(claim.resource());
        Sight sight = line == null || line.count.get() < CROWD ? null : line.sight;
        return sight == null || !contains(claim.id()) ? null : sight.answer(claim, nowNanos);
    }

    /**
     * For how long the newest of our claims has waited. In a line where one of ours is near the front, and which moves,
     * the time counts from its last movement.
     */
    long restlessNanos(long nowNanos) {
        long shortest = Long.MAX_VALUE;
        for (Line line : lines.values()) {
            Sight sight = line.sight;
            long waited = nowNanos - line.newestNanos;
            boolean near = sight != null && sight.nearest() <= NEAR;
            shortest = Math.min(shortest, near ? Math.min(waited, nowNanos - line.movedNanos) : waited);
        }
        return shortest;
    }
}
