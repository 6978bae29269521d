package io.holdfast.redis.backend;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.LinesFormat;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The record that describes a client, once for all of its locks, and its local lines, which the store cannot see.
 * Renewed while the client lives.
 */
final class ClientRecord {
    /** How long the record outlives its client: not longer than the locks do. */
    static final Duration LIFE = Duration.ofSeconds(40);

    private final NodeCaller caller;
    private final ClientIndex index;
    private final String key;
    private final List<byte[]> fields = new ArrayList<>();
    private final Supplier<List<ClientLine>> lines;
    private final ReentrantLock mutex = new ReentrantLock();
    private boolean written;
    private boolean removed;

    /** The lines in the record; null if they are not known. */
    private @Nullable String told;

    ClientRecord(
            NodeCaller caller,
            ClientIndex index,
            RedisSettings settings,
            String clientId,
            Supplier<List<ClientLine>> lines) {
        this.caller = caller;
        this.index = index;
        this.lines = lines;
        this.key = key(settings, clientId);
        String name = settings.clientName();
        ClientView client = ClientView.ofThisProcess(name == null ? "" : name);
        add("host", client.host());
        add("pid", Long.toString(client.pid()));
        add("since", Long.toString(settings.time().wallMillis()));
        if (name != null) {
            add("name", name);
        }
    }

    static String key(RedisSettings settings, String clientId) {
        return settings.prefix() + ":client:{" + clientId + "}";
    }

    private void add(String field, String value) {
        fields.add(Bytes.of(field));
        fields.add(Bytes.of(value));
    }

    /** Writes the record, or keeps it alive, and says so in the index. */
    void write(long untilNanos) {
        mutex.lock();
        try {
            boolean alive = written
                    && Replies.number(caller.callAside(key, untilNanos, (node, session) -> expire())
                                    .reply())
                            == 1;
            if (!alive && !removed) {
                create(LinesFormat.text(lines.get()), untilNanos);
            }
            if (!removed) {
                index.write(LIFE, untilNanos);
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Writes the client's local lines, if they have changed. */
    void tell(long untilNanos) {
        String now = LinesFormat.text(lines.get());
        mutex.lock();
        try {
            if (written && !removed && !now.equals(told)) {
                create(now, untilNanos);
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Removes the record of a client that ends. */
    void remove(long untilNanos) {
        mutex.lock();
        try {
            removed = true;
            if (written) {
                caller.callAside(key, untilNanos, (node, session) -> new byte[][] {Bytes.of("DEL"), Bytes.of(key)});
                index.remove(untilNanos);
            }
        } finally {
            mutex.unlock();
        }
    }

    private void create(String text, long untilNanos) {
        told = null;
        caller.callAside(key, untilNanos, (node, session) -> creation(text));
        told = text;
        written = true;
    }

    private byte[][] expire() {
        return new byte[][] {Bytes.of("PEXPIRE"), Bytes.of(key), Bytes.of(LIFE.toMillis())};
    }

    /** In one step, so that no record is ever without an expiry. */
    private byte[][] creation(String text) {
        List<byte[]> command = new ArrayList<>(List.of(
                Bytes.of("EVAL"),
                Bytes.of("redis.call('HSET', KEYS[1], unpack(ARGV, 2)) return redis.call('PEXPIRE', KEYS[1], ARGV[1])"),
                Bytes.of("1"),
                Bytes.of(key),
                Bytes.of(LIFE.toMillis())));
        command.addAll(fields);
        command.add(Bytes.of("lines"));
        command.add(Bytes.of(text));
        return command.toArray(new byte[0][]);
    }
}
