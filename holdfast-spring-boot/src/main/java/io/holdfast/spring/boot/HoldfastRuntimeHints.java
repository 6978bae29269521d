package io.holdfast.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The scripts and statements that stores and fences load from the class path, and the types they ask for by name. */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {
    private static final List<String> ASKED_FOR =
            List.of("redis.clients.jedis.Connection", "redis.clients.jedis.SslOptions", "io.lettuce.core.RedisClient");
    private static final List<String> CALLED = List.of("org.postgresql.PGConnection", "org.postgresql.PGNotification");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("io/holdfast/redis/protocol/*.lua")
                .registerPattern("io/holdfast/fence/*.lua")
                .registerPattern("io/holdfast/fence/*.sql")
                .registerPattern("io/holdfast/jdbc/database/*.sql")
                .registerPattern("redis/clients/jedis/pom.properties");
        ASKED_FOR.forEach(type -> hints.reflection().registerTypeIfPresent(loader, type));
        CALLED.forEach(
                type -> hints.reflection().registerTypeIfPresent(loader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
