package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The master that Sentinels agree on. They are asked again after each failed call to it. */
final class SentinelTopology implements Topology {
    private static final Duration MOST_PER_SENTINEL = Duration.ofMillis(500);

    private final RedisDriver sentinels;
    private final List<RedisAddress> addresses;
    private final String masterName;
    private final KnownNodes known;
    private final Timing time;
    private final AtomicInteger turn = new AtomicInteger();

    /** How often the master was doubted; asking the Sentinels after a doubt settles it. */
    private final AtomicInteger doubts = new AtomicInteger();

    private volatile int settledDoubts;
    private volatile @Nullable Node named;

    SentinelTopology(
            RedisDriver sentinels, List<RedisAddress> addresses, String masterName, KnownNodes known, Timing time) {
        this.sentinels = sentinels;
        this.addresses = addresses;
        this.masterName = masterName;
        this.known = known;
        this.time = time;
    }

    @Override
    public Node nodeFor(String key, long untilNanos) {
        Node current = named;
        int seen = doubts.get();
        if (current == null || settledDoubts != seen) {
            current = known.at(ask(untilNanos));
            named = current;
            settledDoubts = seen; // a doubt that came meanwhile stays
        }
        return current;
    }

    private RedisAddress ask(long untilNanos) {
        RuntimeException last = null;
        int first = turn.getAndIncrement(); // another one each time: a Sentinel that is cut off must not decide alone
        for (int i = 0; i < addresses.size(); i++) {
            RedisAddress sentinel = addresses.get(Math.floorMod(first + i, addresses.size()));
            Duration left = time.left(untilNanos);
            Duration patience = left.compareTo(MOST_PER_SENTINEL) < 0 ? left : MOST_PER_SENTINEL;
            try (RedisConnection connection = sentinels.open(sentinel, patience)) {
                Object reply = connection.call(
                        patience, Bytes.of("SENTINEL"), Bytes.of("GET-MASTER-ADDR-BY-NAME"), Bytes.of(masterName));
                if (reply instanceof List<?> address) {
                    return new RedisAddress(
                            Replies.string(address.get(0)), Integer.parseInt(Replies.string(address.get(1))));
                }
                last = new RedisUnfitException("the Sentinel at " + sentinel + " knows no master '" + masterName
                        + "'; check the name in redis-sentinel://…/<master name>");
            } catch (RedisLinkException | RedisReplyException failure) {
                last = last == null ? failure : last;
            }
        }
        throw last == null ? new IllegalStateException("no Sentinel was given") : last;
    }

    @Override
    public Collection<Node> nodes(long untilNanos) {
        return List.of(nodeFor("", untilNanos));
    }

    @Override
    public Node nodeAt(RedisAddress address) {
        return known.at(address);
    }

    @Override
    public void doubt() {
        doubts.incrementAndGet();
        Node current = named;
        if (current != null) {
            current.doubt();
        }
    }

    /** A silent server may have been replaced. */
    @Override
    public void doubt(RedisAddress address) {
        Node current = named;
        if (current == null || current.address().equals(address)) {
            doubt();
        }
    }

    @Override
    public boolean isCurrent(Node node) {
        Node current = named;
        return current == null || current == node;
    }

    @Override
    public Collection<Node> known() {
        return known.all();
    }
}
