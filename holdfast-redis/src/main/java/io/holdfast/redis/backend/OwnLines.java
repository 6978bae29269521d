package io.holdfast.redis.backend;

import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.Session;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The claims of this client that stand in lines, and what the server said last of each. */
final class OwnLines {
    /** So many of one client at one name are a crowd. */
    static final int CROWD = 32;

    /**
     * A place in a line, as the server told of it.
     *
     * @param number how many were before it, itself included
     * @param left until a lease ends that those in the line wait for
     * @param seenNanos when the server was asked
     */
    record Place(Line line, Claim claim, Node node, String incarnation, int number, Duration left, long seenNanos) {

        Place seen(int newNumber, Duration newLeft, long nowNanos) {
            return new Place(line, claim, node, incarnation, newNumber, newLeft, nowNanos);
        }

        /** Whether the server that told of it is the one of the session. */
        boolean isAt(Node other, @Nullable Session session) {
            return node == other && session != null && session.incarnation().equals(incarnation);
        }
    }

    /** All places at one name. Changed inside the map only. */
    static final class Line {
        private final String key;
        private final Set<ClaimId> members = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean kept = new AtomicBoolean();

        private Line(String key) {
            this.key = key;
        }

        String key() {
            return key;
        }

        boolean isCrowd() {
            return members.size() >= CROWD;
        }

        /** Whether nobody else does it now; {@link #done} must follow. */
        boolean begin() {
            return kept.compareAndSet(false, true);
        }

        boolean isBegun() {
            return kept.get();
        }

        void done() {
            kept.set(false);
        }
    }

    private final Map<ClaimId, Place> places = new ConcurrentHashMap<>();
    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    @Nullable
    Place get(ClaimId claim) {
        return places.get(claim);
    }

    /** The claim has a place. */
    void saw(Claim claim, String key, Node node, Session session, int number, Duration left, long sentNanos) {
        Line line = lines.compute(key, (name, known) -> {
            Line made = known == null ? new Line(name) : known;
            made.members.add(claim.id());
            return made;
        });
        places.put(claim.id(), new Place(line, claim, node, session.incarnation(), number, left, sentNanos));
    }

    /** The same once more. A claim that has left meanwhile stays away. */
    void saw(Place fresh) {
        places.computeIfPresent(fresh.claim.id(), (id, before) -> fresh);
    }

    /** The claim has no place any more, or only the server knows; so whoever asks next asks the server. */
    void forget(ClaimId claim) {
        Place gone = places.isEmpty() ? null : places.remove(claim);
        if (gone != null) {
            lines.computeIfPresent(gone.line.key, (name, line) -> {
                line.members.remove(claim);
                return line.members.isEmpty() ? null : line;
            });
        }
    }

    /** Messages may have been lost. */
    void forgetAll() {
        places.keySet().forEach(this::forget);
    }

    /** The places of a line that were not heard of since then. */
    List<Place> unheard(Line line, long sinceNanos) {
        return line.members.stream()
                .map(places::get)
                .filter(Objects::nonNull)
                .filter(place -> place.seenNanos - sinceNanos < 0)
                .toList();
    }

    int size() {
        return places.size();
    }
}
