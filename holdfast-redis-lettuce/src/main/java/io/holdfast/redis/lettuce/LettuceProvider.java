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
    private static final String TYPE = "io/lettuce/core/RedisClient.class";

    /** Creates the provider. */
    public LettuceProvider() {}

    @Override
    public String library() {
        return "Lettuce";
    }

    @Override
    public Optional<String> obstacle() {
        ClassLoader loader = LettuceProvider.class.getClassLoader();
        return loader.getResource(TYPE) == null
                ? Optional.of("Lettuce is not on the class path; add io.lettuce:lettuce-core")
                : Optional.empty();
    }

    @Override
    public RedisDriver create(RedisAccess access) {
        return LettuceDriver.create(access);
    }
}
