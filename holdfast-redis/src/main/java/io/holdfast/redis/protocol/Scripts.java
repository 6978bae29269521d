package io.holdfast.redis.protocol;

import io.holdfast.LockKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Map<Name, byte[]> digests = new ConcurrentHashMap<>();

    /**
     * Makes the scripts for one server.
     *
     * @param mark the key of the mark that every attempt checks, or null
     */
    public Scripts(String nodeId, String channelPrefix, @Nullable String mark) {
        String constants = "local NODE, PREFIX, MARK, RETENTION, PLACE, GRANT = '" + nodeId + "', '" + channelPrefix
                + "', " + (mark == null ? "nil" : "'" + mark + "'") + ", " + RETENTION.toMillis() + ", "
                + PLACE_LEASE.toMillis() + ", " + GRANT_LEASE.toMillis() + "\n";
        for (Map.Entry<Name, String> body : BODIES.entrySet()) {
            texts.put(body.getKey(), Bytes.of(constants + body.getValue()));
        }
    }

    public byte[] text(Name name) {
        return Objects.requireNonNull(texts.get(name));
    }

    /**
     * What the server calls a script that was loaded.
     *
     * @throws IllegalStateException if it was not
     */
    public byte[] digest(Name name) {
        byte[] digest = digests.get(name);
        if (digest == null) {
            throw new IllegalStateException("the script " + name + " was not loaded");
        }
        return digest;
    }

    /** Notes what the server said when it loaded a script: to compute it here would take longer than all the rest. */
    public void loaded(Name name, byte[] digest) {
        digests.put(name, digest);
    }

    private static Map<Name, String> bodies() {
        Map<String, String> files = new HashMap<>();
        Map<Name, String> bodies = new EnumMap<>(Name.class);
        for (Name name : Name.values()) {
            StringBuilder body = new StringBuilder();
            expand(name.file(), files, body);
            bodies.put(name, body.toString());
        }
        return bodies;
    }

    /** Leaves comments out: the server would have to read them. */
    private static void expand(String file, Map<String, String> files, StringBuilder body) {
        String text = files.get(file);
        if (text == null) { // most are parts of several scripts
            text = read(file);
            files.put(file, text);
        }
        int end;
        for (int start = 0; start < text.length(); start = end + 1) {
            end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            if (text.startsWith(INCLUDE, start)) {
                expand(text.substring(start + INCLUDE.length(), end), files, body);
            } else if (!isComment(text, start)) {
                body.append(text, start, end).append('\n');
            }
        }
    }

    private static boolean isComment(String text, int start) {
        int first = start;
        while (first < text.length() && text.charAt(first) == ' ') {
            first++;
        }
        return text.startsWith("--", first);
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
}
