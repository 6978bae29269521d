package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a cluster and their slots. The map is a belief: a server that does not have a slot says who has it, and the map is read
 * again soon after.
 */
final class ClusterTopology implements Topology {
    private static final Duration MOST_PER_NODE = Duration.ofMillis(500);
    private static final long LEAST_BETWEEN_LOOKS_NANOS = 100_000_000;

    private final RedisDriver driver;
    private final List<RedisAddress> seeds;
    private final KnownNodes known;
    private final AtomicReferenceArray<@Nullable Node> slots = new AtomicReferenceArray<>(Slots.COUNT);
    private final ReentrantLock looking = new ReentrantLock();
    private volatile Set<Node> masters = Set.of();
    private volatile boolean doubted = true;
    private volatile long lastLookNanos = System.nanoTime() - LEAST_BETWEEN_LOOKS_NANOS;

    ClusterTopology(RedisDriver driver, List<RedisAddress> seeds, KnownNodes known) {
        this.driver = driver;
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
    public String partOf(String key) {
        Node node = slots.get(Slots.of(key));
        return node == null ? "" : node.address().toString();
    }

    @Override
    public Collection<Node> nodes(long untilNanos) {
        lookIfDoubted(untilNanos);
        return masters;
    }

    /** One thread looks, the others go on with what is known; a wrong belief only costs a redirection. */
    private void lookIfDoubted(long untilNanos) {
        boolean nothingKnown = masters.isEmpty();
        boolean soon = System.nanoTime() - lastLookNanos < LEAST_BETWEEN_LOOKS_NANOS;
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
            lastLookNanos = System.nanoTime();
            looking.unlock();
        }
    }

    private void look(long untilNanos) {
        RuntimeException last = null;
        for (RedisAddress address : candidates()) {
            Duration left = Node.patience(untilNanos);
            Duration patience = left.compareTo(MOST_PER_NODE) < 0 ? left : MOST_PER_NODE;
            try (RedisConnection connection = driver.open(address, patience)) {
                Object reply = connection.call(patience, Text.bytes("CLUSTER"), Text.bytes("SLOTS"));
                if (reply instanceof List<?> ranges && !ranges.isEmpty()) {
                    read(ranges, address);
                    return;
                }
                last = new RedisUnfitException(
                        "Redis at " + address + " has no slots yet; finish the cluster's set-up");
            } catch (RedisReplyException refused) {
                last = refused.reply().contains("cluster support disabled")
                        ? new RedisUnfitException("Redis at " + address
                                + " is not a cluster; connect with redis:// instead of redis-cluster://")
                        : refused;
            } catch (RedisLinkException broken) {
                last = last == null ? broken : last;
            }
        }
        throw last == null ? new IllegalStateException("no server was given") : last;
    }

    /** Masters that answer first, then whoever was named at the beginning. */
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

    private void read(List<?> ranges, RedisAddress asked) {
        Set<Node> found = new LinkedHashSet<>();
        for (Object each : ranges) {
            List<?> range = (List<?>) each;
            Node node = owner(range, asked);
            found.add(node);
            for (long slot = Text.number(range.get(0)); slot <= Text.number(range.get(1)); slot++) {
                slots.set((int) slot, node);
            }
        }
        masters = found;
        for (Node node : found) { // whose own tag has moved, or who got the first slot, needs another one
            Session known = node.current();
            if (known != null && !tagOf(node, known.tag(), 0).equals(known.tag())) {
                node.doubt();
            }
        }
    }

    private Node owner(List<?> range, RedisAddress asked) {
        List<?> owner = (List<?>) range.get(2);
        String host = Text.string(owner.get(0));
        return known.at(new RedisAddress(
                host.isEmpty() || host.equals("null") ? asked.host() : host, (int) Text.number(owner.get(1))));
    }

    @Override
    public String slotsOf(Node node, List<?> ranges) {
        return ranges.stream()
                .map(each -> (List<?>) each)
                .filter(range -> owner(range, node.address()) == node)
                .sorted(Comparator.comparingLong(range -> Text.number(range.get(0))))
                .map(range -> Text.number(range.get(0)) + "-" + Text.number(range.get(1)))
                .collect(Collectors.joining(","));
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
    public String tagOf(Node node, String before, int skip) {
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
