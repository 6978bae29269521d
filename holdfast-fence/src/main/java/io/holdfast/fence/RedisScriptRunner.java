package io.holdfast.fence;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How {@link RedisFence} reaches Redis: one method, over whichever client you have.
 *
 * <pre>{@code
 * RedisScriptRunner runner = jedis::eval;
 * }</pre>
 *
 * <p>Goes to the master. May send the digest of the script instead of its text ({@code EVALSHA}): the same calls have
 * the same text. Must not repeat a call whose outcome it does not know, unless the scripts that you run may be
 * repeated; entering may.
 *
 * <p><b>Implementing.</b> For users, as a lambda: it will never have a second abstract method.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface RedisScriptRunner {

    /**
     * Runs a script, once.
     *
     * @param script the Lua text
     * @param keys its keys, all in one slot if Redis is a cluster
     * @param arguments its arguments
     * @return the reply as the client gives it: a list of numbers, strings or byte arrays, lists and nulls
     */
    @Nullable
    Object eval(String script, List<String> keys, List<String> arguments);
}
