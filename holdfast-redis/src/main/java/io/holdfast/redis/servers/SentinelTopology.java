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

    /** One thread asks, the others wait for its answer. */
    private final OneForAll asking = new OneForAll();

    private volatile @Nullable Named named;
    private volatile @Nullable Silence silence;

    /**
     * What a Sentinel answered.
     *
     * @param doubts how many there had been before it was asked
     */
    private record Named(Node master, int doubts) {}

    /**
     * No Sentinel answered.
     *
     * @param patienceNanos how long somebody waited for them
     */
    private record Silence(RuntimeException why, long patienceNanos) {}

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
        Node current = settled();
        return current != null ? current : asked(untilNanos);
    }

    @Override
    public @Nullable Node lastNodeFor(String key) {
        Named last = named;
        return last == null ? null : last.master;
    }

    /** The master, if nobody doubts it. */
    private @Nullable Node settled() {
        Named last = named;
        return last != null && last.doubts == doubts.get() ? last.master : null;
    }

    /** Who waited while another thread asked in vain, with as much time, has its answer too. */
    private Node asked(long untilNanos) {
        Silence before = silence;
        long patienceNanos = untilNanos - time.nanos();
        return asking.answer(
                time,
                untilNanos,
                () -> known(before, patienceNanos),
                () -> learned(untilNanos, patienceNanos),
                "another thread still waits for the Sentinels");
    }

    private @Nullable Node known(@Nullable Silence before, long patienceNanos) {
        Node current = settled();
        Silence since = silence;
        if (current == null
                && since != null
                && !since.equals(before)
                && since.patienceNanos >= patienceNanos / 10 * 9) {
            throw since.why;
        }
        return current;
    }

    private Node learned(long untilNanos, long patienceNanos) {
        int seen = doubts.get(); // a doubt that comes meanwhile stays
        try {
            Node master = known.at(ask(untilNanos));
            named = new Named(master, seen);
            return master;
        } catch (RuntimeException failure) {
            silence = new Silence(failure, patienceNanos);
            throw failure;
        }
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
                last = RedisUnfitException.wrong("the Sentinel at " + sentinel + " knows no master '" + masterName
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
        Node current = lastNodeFor("");
        if (current != null) {
            current.doubt();
        }
    }

    /** A silent server may have been replaced. */
    @Override
    public void doubt(RedisAddress address) {
        Node current = lastNodeFor("");
        if (current == null || current.address().equals(address)) {
            doubt();
        }
    }

    @Override
    public boolean isCurrent(Node node) {
        Node current = lastNodeFor("");
        return current == null || current == node;
    }

    @Override
    public Collection<Node> known() {
        return known.all();
    }
}
