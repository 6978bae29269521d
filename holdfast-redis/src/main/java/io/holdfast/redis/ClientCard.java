package io.holdfast.redis;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Says who a client is, once for all of its locks. Kept alive while the client lives. */
final class ClientCard {
    /** How long the card outlives its client: not longer than the locks do. */
    static final Duration LIFE = Duration.ofSeconds(40);

    private final Courier courier;
    private final String key;
    private final List<byte[]> fields = new ArrayList<>();
    private boolean written;

    ClientCard(Courier courier, RedisSettings settings, String clientId) {
        this.courier = courier;
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
    synchronized void write(long untilNanos) {
        boolean alive = written
                && Text.number(courier.callAside(key, untilNanos, (node, session) -> expire())
                                .reply())
                        == 1;
        if (!alive) {
            courier.callAside(key, untilNanos, (node, session) -> create());
            written = true;
        }
    }

    /** The client is gone; nobody needs to wait for the card to end. */
    synchronized void remove(long untilNanos) {
        if (written) {
            courier.callAside(key, untilNanos, (node, session) -> new byte[][] {Text.bytes("DEL"), Text.bytes(key)});
        }
    }

    private byte[][] expire() {
        return new byte[][] {Text.bytes("PEXPIRE"), Text.bytes(key), Text.bytes(LIFE.toMillis())};
    }

    /** In one step, so that no card is ever without an end. */
    private byte[][] create() {
        List<byte[]> command = new ArrayList<>(List.of(
                Text.bytes("EVAL"),
                Text.bytes(
                        "redis.call('HSET', KEYS[1], unpack(ARGV, 2)) return redis.call('PEXPIRE', KEYS[1], ARGV[1])"),
                Text.bytes("1"),
                Text.bytes(key),
                Text.bytes(LIFE.toMillis())));
        command.addAll(fields);
        return command.toArray(new byte[0][]);
    }
}
