package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A waiter that gives up leaves the line in the background; that must not make a single try of a free lock fail. */
@Tag("integration")
class GhostTest {
    private static final int ROUNDS = 200;
    private static final Duration SHORT = Duration.ofMillis(2);

    @AutoClose
    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @Test
    void tryAcquire_heldByAnotherClientWhileItWaited_noneOfManyIsRefused() throws InterruptedException {
        int refused = 0;
        try (LockClient holder = RedisLocks.connect(server.uri());
                LockClient locks = RedisLocks.connect(server.uri())) {
            for (int round = 0; round < ROUNDS; round++) {
                Lease held = holder.lock("order").acquire();
                assertThat(locks.lock("order").tryAcquire(SHORT)).isEmpty();
                held.close();
                refused += triedOnce(locks);
            }
        }
        assertThat(refused).as("of %d tries of a free lock", ROUNDS).isZero();
    }

    private static int triedOnce(LockClient locks) {
        return locks.lock("order")
                .tryAcquire()
                .map(lease -> {
                    lease.close();
                    return 0;
                })
                .orElse(1);
    }

    @Test
    void tryAcquire_writerOfTheSameClientGaveUp_noReaderOfManyIsRefused() throws InterruptedException {
        int refused = 0;
        try (LockClient locks = RedisLocks.connect(server.uri())) {
            DistributedReadWriteLock lock = locks.readWriteLock("catalog");
            for (int round = 0; round < ROUNDS; round++) {
                try (Lease reading = lock.readLock().acquire()) {
                    assertThat(lock.writeLock().tryAcquire(SHORT)).isEmpty();
                    Optional<Lease> second = lock.readLock().tryAcquire();
                    refused += second.isPresent() ? 0 : 1;
                    second.ifPresent(Lease::close);
                    assertThat(reading.isValid()).isTrue();
                }
            }
        }
        assertThat(refused).as("of %d readers", ROUNDS).isZero();
    }
}
