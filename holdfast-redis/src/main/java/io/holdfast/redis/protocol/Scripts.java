package io.holdfast.redis.protocol;

import io.holdfast.LockKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scripts for one server. Their text begins with the server's id. A server that restarted, or another one that took
 * over, does not know them and says so: no call can be executed there before a handshake.
 */
public final class Scripts {

    /** One script each; the file beside this class has the same name. */
    public enum Name {
        LOCK_ATTEMPT,
        LOCK_RELEASE,
        LOCK_RENEW,
        LOCK_REASSERT,
        SHARE_ATTEMPT,
        SHARE_RELEASE,
        SHARE_RENEW,
        SHARE_REASSERT,
        LINE_KEEP,
        INSPECT,
        GUARD;

        private String file() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-') + ".lua";
        }
    }

    /** How long an unused record is kept at least. */
    public static final Duration RETENTION = Duration.ofSeconds(10);

    /** How long a record with this lease lives. Redis counts whole milliseconds, and a lease must not end early. */
    public static long lifeMillis(long leaseMillis) {
        return leaseMillis + RETENTION.toMillis() + 1;
    }

    /** Whether this kind uses the scripts for one holder, not those for several. */
    public static boolean isMutex(LockKind kind) {
        return kind == LockKind.LOCK || kind == LockKind.ELECTION;
    }

    /** A lease in milliseconds, rounded up. */
    public static long millis(Duration lease) {
        long millis = lease.toMillis();
        return Math.max(1, lease.toNanosPart() % 1_000_000 == 0 ? millis : millis + 1);
    }

    /** How long a claim keeps its place in a line without asking again. */
    public static final Duration PLACE_LEASE = Duration.ofSeconds(3);

    /** The lease of a claim that is served while it waits, unless its own is shorter. */
    public static final Duration GRANT_LEASE = Duration.ofSeconds(3);

    /** How a script's own errors begin. */
    static final String BROKEN_RECORD = "HOLDFAST";

    private static final String INCLUDE = "-- include ";
    private static final Map<Name, String> BODIES = bodies();

    private final Map<Name, byte[]> texts = new EnumMap<>(Name.class);
    private final Map<Name, byte[]> digests = new EnumMap<>(Name.class);

    /**
     * Makes the scripts for one server.
     *
     * @param mark the key of the mark that every attempt checks, or null
     */
    public Scripts(String nodeId, String channelPrefix, @Nullable String mark) {
        String constants = "local NODE, PREFIX, MARK, RETENTION, PLACE, GRANT = '" + nodeId + "', '" + channelPrefix
                + "', " + (mark == null ? "nil" : "'" + mark + "'") + ", " + RETENTION.toMillis() + ", "
                + PLACE_LEASE.toMillis() + ", " + GRANT_LEASE.toMillis() + "\n";
        BODIES.forEach((name, body) -> {
            byte[] text = Bytes.of(constants + body);
            texts.put(name, text);
            digests.put(name, sha1(text));
        });
    }

    public byte[] text(Name name) {
        return java.util.Objects.requireNonNull(texts.get(name));
    }

    public byte[] digest(Name name) {
        return java.util.Objects.requireNonNull(digests.get(name));
    }

    private static Map<Name, String> bodies() {
        Map<Name, String> bodies = new EnumMap<>(Name.class);
        for (Name name : Name.values()) {
            bodies.put(name, expanded(name.file()));
        }
        return bodies;
    }

    private static String expanded(String file) {
        List<String> lines = new ArrayList<>();
        for (String line : read(file).split("\n", -1)) {
            lines.add(line.startsWith(INCLUDE) ? expanded(line.substring(INCLUDE.length())) : line);
        }
        return String.join("\n", lines);
    }

    private static String read(String file) {
        try (InputStream in = Scripts.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from holdfast-redis");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the script " + file + " cannot be read", unreadable);
        }
    }

    private static byte[] sha1(byte[] text) {
        try {
            return Bytes.of(
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
