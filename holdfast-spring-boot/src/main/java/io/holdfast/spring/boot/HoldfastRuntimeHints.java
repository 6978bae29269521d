package io.holdfast.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The scripts and statements that stores and fences load from the class path. */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("io/holdfast/redis/protocol/*.lua")
                .registerPattern("io/holdfast/fence/*.lua")
                .registerPattern("io/holdfast/fence/*.sql")
                .registerPattern("io/holdfast/jdbc/database/*.sql");
    }
}
