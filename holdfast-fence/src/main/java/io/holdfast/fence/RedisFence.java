package io.holdfast.fence;

import io.holdfast.Lease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fence in Redis, beside the data: the token is compared in the script that reads or writes.
 *
 * <p>A fence is a hash with the greatest token that has entered, and its holder. {@link #run} enters and then does the
 * caller's work, in one script; {@link #get} and {@link #set} do that for a single value. A call is accepted when
 * nobody has entered yet, when the token is greater than the stored one, or when token and holder are the stored ones.
 * Reading enters too: that is what keeps an earlier holder from changing afterwards what was read.
 *
 * <p><b>Guarantees.</b> Check and work are one step that nothing comes between. Once a greater token has entered, or
 * another holder with the same one, the work of a smaller one is not done, not even in part.
 *
 * <p><b>Not guaranteed.</b> Anything about commands that do not go through a fence. A failover that loses writes takes
 * the fence back together with the data, because both are in one slot; a flush or an eviction forgets it. A script of
 * the caller that fails in the middle is not undone; that is Redis. Locks with several holders at once cannot be
 * fenced.
 *
 * <p><b>Keys.</b> One fence for each lock, and everything that the lock protects behind that one. In a cluster the
 * fence and its data must be in one slot: give them a common {@code {tag}}, such as {@code {order:42}:fence} and
 * {@code {order:42}:total}; Redis refuses the script otherwise.
 *
 * <p><b>Expiry.</b> A fence is kept for ever, some hundred bytes: a forgotten one lets in holders that were shut out.
 * {@link #retention} bounds that, for locks with ever new names.
 *
 * <p><b>Threads.</b> As thread-safe as its runner. <b>Interruption.</b> That of the runner.
 *
 * <p><b>Failures.</b> A refusal is a {@link StaleTokenException}. What the runner throws is passed on.
 *
 * <pre>{@code
 * RedisFence fence = RedisFence.over(jedis::eval);
 * long stock = fence.get(lease, "stock:42").map(Long::parseLong).orElse(0L);
 * fence.set(lease, "stock:42", String.valueOf(stock - 1));
 * }</pre>
 *
 * @since 0.1
 */
public final class RedisFence {
    private static final String CHECK = Texts.read("check.lua");

    /** Of the fence of a key without a tag; and the end of one with a tag. No two keys have one fence. */
    private static final String PREFIX = "holdfast-fence:";

    private static final String SUFFIX = ":holdfast-fence";
    private static final int REFUSED_PARTS = 3;

    /** What the script takes for "never forgotten". */
    private static final Duration FOR_EVER = Duration.ZERO;

    private static final Duration LEAST_RETENTION = Duration.ofMillis(1);
    private static final Duration MOST_RETENTION = Duration.ofDays(36_500);

    private final RedisScriptRunner runner;
    private final Duration retention;

    private RedisFence(RedisScriptRunner runner, Duration retention) {
        this.runner = runner;
        this.retention = retention;
    }

    /**
     * Returns a fence over your Redis client, whose records are kept for ever.
     *
     * @param runner runs scripts
     * @return the fence
     */
    public static RedisFence over(RedisScriptRunner runner) {
        return new RedisFence(Objects.requireNonNull(runner, "runner"), FOR_EVER);
    }

    /**
     * Returns a fence whose records are forgotten when nobody has entered for that long. It must be longer than any
     * holder can be paused and still go on: a holder that comes back later is let in, unless somebody else has entered
     * since.
     *
     * @param retention from a millisecond to a hundred years
     * @return another fence over the same client
     * @throws IllegalArgumentException if it is shorter or longer
     */
    public RedisFence retention(Duration retention) {
        if (retention.compareTo(LEAST_RETENTION) < 0 || retention.compareTo(MOST_RETENTION) > 0) {
            throw new IllegalArgumentException(
                    "retention is " + retention + ", expected " + LEAST_RETENTION + " to " + MOST_RETENTION);
        }
        return new RedisFence(runner, retention);
    }

    /**
     * Enters and does nothing else: from now on earlier holders are shut out.
     *
     * @param lease of the lock that protects the data
     * @param fenceKey where the fence is
     * @throws StaleTokenException if somebody else has entered since
     * @throws io.holdfast.LockLostException if the lease was lost
     * @throws IllegalStateException if it was closed
     */
    public void enter(Lease lease, String fenceKey) {
        run(lease, fenceKey, "return 1", List.of(), List.of());
    }

    /**
     * Enters and reads a value that has a fence of its own.
     *
     * @param lease of the lock that protects the value
     * @param key where the value is; its fence is at {@link #fenceKeyOf}
     * @return empty when there is none
     * @throws StaleTokenException if somebody else has entered since
     * @throws io.holdfast.LockLostException if the lease was lost
     * @throws IllegalStateException if it was closed
     */
    public Optional<String> get(Lease lease, String key) {
        Object value = run(lease, fenceKeyOf(key), "return redis.call('GET', KEYS[1])", List.of(key), List.of());
        return value == null ? Optional.empty() : Optional.of(text(value));
    }

    /**
     * Enters and writes a value that has a fence of its own.
     *
     * @param lease of the lock that protects the value
     * @param key where the value is; its fence is at {@link #fenceKeyOf}
     * @param value what to write
     * @throws StaleTokenException if somebody else has entered since; nothing was written
     * @throws io.holdfast.LockLostException if the lease was lost
     * @throws IllegalStateException if it was closed
     */
    public void set(Lease lease, String key, String value) {
        run(lease, fenceKeyOf(key), "return redis.call('SET', KEYS[1], ARGV[1])", List.of(key), List.of(value));
    }

    /**
     * Enters and runs a script, in one step. The script sees its own keys and arguments, from 1 on. The lease is asked
     * first: one that is known to be over is refused without a trip to Redis. That saves work; the protection is the
     * fence.
     *
     * @param lease of the lock that protects the data
     * @param fenceKey where the fence is
     * @param script Lua; everything that it touches is in {@code keys}
     * @param keys its keys
     * @param arguments its arguments
     * @return what the script returned, as your client gives it
     * @throws StaleTokenException if somebody else has entered since; the script was not run
     * @throws io.holdfast.LockLostException if the lease was lost
     * @throws IllegalStateException if it was closed
     * @throws IllegalArgumentException if the script has a first line that begins with {@code #!}
     */
    public @Nullable Object run(
            Lease lease, String fenceKey, String script, List<String> keys, List<String> arguments) {
        lease.ensureValid();
        return run(FenceEntry.of(lease), fenceKey, script, keys, arguments);
    }

    /**
     * The same for a lease that another process holds, which handed over its token.
     *
     * @param entry the name, the token and the holder that were handed over
     * @param fenceKey where the fence is
     * @param script Lua; everything that it touches is in {@code keys}
     * @param keys its keys
     * @param arguments its arguments
     * @return what the script returned, as your client gives it
     * @throws StaleTokenException if somebody else has entered since; the script was not run
     * @throws IllegalArgumentException if the script has a first line that begins with {@code #!}
     */
    public @Nullable Object run(
            FenceEntry entry, String fenceKey, String script, List<String> keys, List<String> arguments) {
        List<String> allKeys = new ArrayList<>(List.of(fenceKey));
        allKeys.addAll(keys);
        List<String> allArguments = new ArrayList<>(
                List.of(String.valueOf(entry.token()), entry.holder(), String.valueOf(retention.toMillis())));
        allArguments.addAll(arguments);
        Object reply = runner.eval(fenced(script), allKeys, allArguments);
        List<?> parts = reply instanceof List<?> list ? list : List.of();
        if (parts.size() == REFUSED_PARTS && text(parts.get(0)).equals("0")) {
            long token = Long.parseLong(text(parts.get(1)));
            throw new StaleTokenException(entry, new FenceEntry(entry.name(), token, text(parts.get(2))));
        }
        if (parts.isEmpty() || !text(parts.get(0)).equals("1")) {
            throw new IllegalStateException(
                    "the runner returned " + reply + ", expected the list that the script of the fence replies with");
        }
        return parts.size() > 1 ? parts.get(1) : null;
    }

    /**
     * The script begins on the first line, so that the lines of its errors are its own; it ends before the check
     * begins.
     */
    private static String fenced(String script) {
        if (script.startsWith("#!")) {
            throw new IllegalArgumentException("the script begins with '"
                    + script.lines().findFirst().orElse("") + "', which cannot be fenced: leave that line out");
        }
        return "local work = function(KEYS, ARGV) " + script + "\nend\n" + CHECK;
    }

    /**
     * Returns where {@link #get} and {@link #set} keep the fence of a value: in the slot of the value.
     *
     * @param key of the value
     * @return the key of its fence
     * @throws IllegalArgumentException if the key has braces but no {@code {tag}}: then no other key can be put into
     *     its slot
     */
    public static String fenceKeyOf(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        if (open >= 0 && close > open + 1) {
            return key + SUFFIX;
        }
        if (key.isEmpty() || key.indexOf('}') >= 0) {
            throw new IllegalArgumentException("key is '" + key
                    + "', expected a key with a {tag} in it, or one that is not empty and has no closing brace");
        }
        return PREFIX + "{" + key + "}";
    }

    private static String text(@Nullable Object part) {
        return part instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(part);
    }
}
