package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.ClusterSlots;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.protocol.Slots;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a cluster and their slots. The map may be out of date: a server that does not have a slot says who has
 * it, and the map is read again soon after.
 */
final class ClusterTopology implements Topology {
    private static final Duration MOST_PER_NODE = Duration.ofMillis(500);
    private static final long LEAST_BETWEEN_LOOKS_NANOS = 100_000_000;

    private final RedisDriver driver;
    private final List<RedisAddress> seeds;
    private final KnownNodes known;
    private final Timing time;
    private final AtomicReferenceArray<@Nullable Node> slots = new AtomicReferenceArray<>(Slots.COUNT);
    private final ReentrantLock looking = new ReentrantLock();
    private volatile Set<Node> masters = Set.of();
    private volatile boolean doubted = true;
    private volatile long lastLookNanos;

    ClusterTopology(RedisDriver driver, List<RedisAddress> seeds, KnownNodes known, Timing time) {
        this.driver = driver;
        this.time = time;
        this.lastLookNanos = time.nanos() - LEAST_BETWEEN_LOOKS_NANOS;
        this.seeds = seeds;
        this.known = known;
    }

    @Override
    public Node nodeFor(String key, long untilNanos) {
        lookIfDoubted(untilNanos);
        Node node = slots.get(Slots.of(key));
        if (node == null) {
            doubted = true;
            throw new RedisUnfitException(
                    "no server of the cluster has the slot of " + key + "; CLUSTER INFO must say cluster_state:ok");
        }
        return node;
    }

    @Override
    public @Nullable Node lastNodeFor(String key) {
        return slots.get(Slots.of(key));
    }

    @Override
    public String partOf(String key) {
        Node node = lastNodeFor(key);
        return node == null ? "" : node.address().toString();
    }

    @Override
    public Collection<Node> nodes(long untilNanos) {
        lookIfDoubted(untilNanos);
        return masters;
    }

    /** One thread reads the map, the others go on with the old one; a wrong entry costs only a redirection. */
    private void lookIfDoubted(long untilNanos) {
        boolean nothingKnown = masters.isEmpty();
        boolean soon = time.nanos() - lastLookNanos < LEAST_BETWEEN_LOOKS_NANOS;
        if (!doubted || (soon && !nothingKnown)) {
            return;
        }
        if (nothingKnown) {
            looking.lock();
        } else if (!looking.tryLock()) {
            return;
        }
        try {
            if (doubted) {
                doubted = false;
                look(untilNanos);
            }
        } catch (RuntimeException failure) {
            doubted = true;
            if (masters.isEmpty()) {
                throw failure;
            }
        } finally {
            lastLookNanos = time.nanos();
            looking.unlock();
        }
    }

    private void look(long untilNanos) {
        RuntimeException last = null;
        for (RedisAddress address : candidates()) {
            Duration left = time.left(untilNanos);
            Duration patience = left.compareTo(MOST_PER_NODE) < 0 ? left : MOST_PER_NODE;
            try (RedisConnection connection = driver.open(address, patience)) {
                ClusterSlots all = ClusterSlots.read(connection.call(patience, ClusterSlots.command()), address);
                if (!all.isEmpty()) {
                    take(all);
                    return;
                }
                last = new RedisUnfitException(
                        "Redis at " + address + " has no slots yet; finish the cluster's set-up");
            } catch (RedisReplyException refused) {
                last = refused.error() == RedisError.NO_CLUSTER
                        ? RedisUnfitException.wrong("Redis at " + address
                                + " is not a cluster; connect with redis:// instead of redis-cluster://")
                        : refused;
            } catch (RedisLinkException broken) {
                last = last == null ? broken : last;
            }
        }
        throw last == null ? new IllegalStateException("no server was given") : last;
    }

    /** Masters that answer come first, then the servers of the URL. */
    private Collection<RedisAddress> candidates() {
        Set<RedisAddress> candidates = new LinkedHashSet<>();
        List<RedisAddress> silent = new ArrayList<>();
        for (Node node : masters) {
            (node.wasSilent(MOST_PER_NODE.multipliedBy(4)) ? silent : candidates).add(node.address());
        }
        candidates.addAll(seeds);
        candidates.removeAll(silent);
        candidates.addAll(silent);
        return candidates;
    }

    private void take(ClusterSlots all) {
        Set<Node> found = new LinkedHashSet<>();
        for (ClusterSlots.Range range : all.ranges()) {
            Node node = known.at(range.master());
            found.add(node);
            for (int slot = range.from(); slot <= range.to(); slot++) {
                slots.set(slot, node);
            }
        }
        masters = found;
        for (Node node : found) { // a server whose tag has moved, or that got its first slot, needs a new tag
            Session met = node.current();
            if (met != null && !tagOf(node.address(), met.tag(), 0).equals(met.tag())) {
                node.doubt();
            }
        }
    }

    @Override
    public Node nodeAt(RedisAddress address) {
        return known.at(address);
    }

    @Override
    public void moved(int slot, RedisAddress address) {
        slots.set(slot, known.at(address));
        doubted = true;
    }

    @Override
    public void doubt() {
        doubted = true;
    }

    @Override
    public boolean isCurrent(Node node) {
        return masters.contains(node);
    }

    @Override
    public Collection<Node> known() {
        return known.all();
    }

    @Override
    public String tagOf(RedisAddress server, String before, int skip) {
        Node node = known.at(server);
        if (!before.isEmpty() && slots.get(Slots.of(before)) == node) {
            return before;
        }
        int left = skip;
        for (int i = 0; i < Slots.COUNT && masters.contains(node); i++) {
            String tag = "{" + Integer.toString(i, Character.MAX_RADIX) + "}";
            if (slots.get(Slots.of(tag)) == node && left-- == 0) {
                return tag;
            }
        }
        return "";
    }

    @Override
    public boolean takesManyKeys() {
        return false;
    }
}
