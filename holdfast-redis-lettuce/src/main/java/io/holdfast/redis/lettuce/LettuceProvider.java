package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisDriverProvider;
import java.util.Optional;

/**
 * Tells whether Lettuce can be used, and makes drivers of it. Found with {@link java.util.ServiceLoader}. Names no type
 * of Lettuce, so that it can be loaded without it.
 *
 * @since 0.1
 */
public final class LettuceProvider implements RedisDriverProvider {
    private static final String TYPE = "io.lettuce.core.RedisClient";

    /** Creates the provider. */
    public LettuceProvider() {}

    @Override
    public String library() {
        return "Lettuce";
    }

    @Override
    public Optional<String> obstacle() {
        return isThere(LettuceProvider.class.getClassLoader())
                ? Optional.empty()
                : Optional.of("Lettuce is not on the class path; add io.lettuce:lettuce-core");
    }

    /** Asks for the class and not for its file, which a native image does not have. */
    private static boolean isThere(ClassLoader loader) {
        try {
            Class<?> found = Class.forName(TYPE, false, loader);
            return found != null;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    @Override
    public RedisDriver create(RedisAccess access) {
        return LettuceDriver.create(access);
    }
}
