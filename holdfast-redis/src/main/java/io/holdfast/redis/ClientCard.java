package io.holdfast.redis;

import io.holdfast.spi.ClientLine;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says who a client is, once for all of its locks, and what the store cannot see of its own lines. Kept alive while the client lives.
 */
final class ClientCard {
    /** How long the card outlives its client: not longer than the locks do. */
    static final Duration LIFE = Duration.ofSeconds(40);

    private final Courier courier;
    private final String key;
    private final List<byte[]> fields = new ArrayList<>();
    private final Supplier<List<ClientLine>> lines;
    private final ReentrantLock mutex = new ReentrantLock();
    private boolean written;
    private boolean removed;

    /** What it says of lines; null when that is not known. */
    private @Nullable String told;

    ClientCard(Courier courier, RedisSettings settings, String clientId, Supplier<List<ClientLine>> lines) {
        this.courier = courier;
        this.lines = lines;
        this.key = key(settings, clientId);
        String name = settings.clientName();
        add("host", host());
        add("pid", Long.toString(ProcessHandle.current().pid()));
        add("since", Long.toString(System.currentTimeMillis()));
        if (name != null) {
            add("name", name);
        }
    }

    static String key(RedisSettings settings, String clientId) {
        return settings.prefix() + ":client:{" + clientId + "}";
    }

    private void add(String field, String value) {
        fields.add(Text.bytes(field));
        fields.add(Text.bytes(value));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }

    /** Writes the card, or keeps it alive. */
    void write(long untilNanos) {
        mutex.lock();
        try {
            boolean alive = written
                    && Text.number(courier.callAside(key, untilNanos, (node, session) -> expire())
                                    .reply())
                            == 1;
            if (!alive && !removed) {
                create(CardLines.text(lines.get()), untilNanos);
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Says what the store cannot see of the client's lines, if that is something else than the last time. */
    void tell(long untilNanos) {
        String now = CardLines.text(lines.get());
        mutex.lock();
        try {
            if (written && !removed && !now.equals(told)) {
                create(now, untilNanos);
            }
        } finally {
            mutex.unlock();
        }
    }

    /** The client is gone; nobody needs to wait for the card to end. */
    void remove(long untilNanos) {
        mutex.lock();
        try {
            removed = true;
            if (written) {
                courier.callAside(
                        key, untilNanos, (node, session) -> new byte[][] {Text.bytes("DEL"), Text.bytes(key)});
            }
        } finally {
            mutex.unlock();
        }
    }

    private void create(String text, long untilNanos) {
        told = null;
        courier.callAside(key, untilNanos, (node, session) -> creation(text));
        told = text;
        written = true;
    }

    private byte[][] expire() {
        return new byte[][] {Text.bytes("PEXPIRE"), Text.bytes(key), Text.bytes(LIFE.toMillis())};
    }

    /** In one step, so that no card is ever without an end. */
    private byte[][] creation(String text) {
        List<byte[]> command = new ArrayList<>(List.of(
                Text.bytes("EVAL"),
                Text.bytes(
                        "redis.call('HSET', KEYS[1], unpack(ARGV, 2)) return redis.call('PEXPIRE', KEYS[1], ARGV[1])"),
                Text.bytes("1"),
                Text.bytes(key),
                Text.bytes(LIFE.toMillis())));
        command.addAll(fields);
        command.add(Text.bytes("lines"));
        command.add(Text.bytes(text));
        return command.toArray(new byte[0][]);
    }
}
