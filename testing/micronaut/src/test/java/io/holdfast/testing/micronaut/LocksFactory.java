package io.holdfast.testing.micronaut;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

@Factory
class LocksFactory {
    @Singleton
    @Bean(preDestroy = "close")
    LockClient locks() {
        return MemoryLocks.create(); // RedisLocks.connect("redis://localhost:6379") for a fleet
    }
}
