package io.holdfast.examples;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;

/**
 * A lock on a real Redis, which this program starts and ends itself. Two clients stand for two processes: one waits for
 * the other, outlives its crash, and tells an outage from a lock that is busy.
 */
public final class OnRedis {
    private static final String NAME = "order:42";
    private static final Duration SOON = Duration.ofSeconds(1);

    private final RedisServer server;
    private final LockClient here;
    private final LockClient elsewhere;

    private OnRedis(RedisServer server, LockClient here, LockClient elsewhere) {
        this.server = server;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    /** Runs the example. */
    public static void main(String[] args) throws InterruptedException {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                LockClient here = RedisLocks.connect(server.uri());
                LockClient elsewhere = RedisLocks.connect(server.uri())) {
            System.out.println("started a Redis " + server.version());
            OnRedis example = new OnRedis(server, here, elsewhere);
            example.oneAtATime();
            example.crash();
            example.outage();
        }
    }

    private void oneAtATime() {
        try (Lease lease = here.lock(NAME).acquire()) {
            System.out.println("here ships " + lease.name());
            System.out.println(
                    "elsewhere may: " + elsewhere.lock(NAME).tryAcquire().isPresent());
        }
    }

    private void crash() {
        // Nobody renews it and nobody gives it back: as if this process had been killed.
        Lease dead = here.lock(NAME, LockOptions.defaults().fixedLease(Duration.ofMillis(500)))
                .acquire();
        try (Lease next = elsewhere.lock(NAME).acquire()) {
            System.out.println("here crashed; elsewhere went on when the lease had ended");
            System.out.println("with a greater token, so that a fence knows: " + (next.token() > dead.token()));
        }
    }

    private void outage() throws InterruptedException {
        server.kill();
        try {
            System.out.println("busy: " + elsewhere.lock(NAME).tryAcquire(SOON).isEmpty());
        } catch (LockStoreException outage) {
            System.out.println("the Redis was killed: an exception, never \"busy\"");
        }
        server.restart();
        elsewhere.lock(NAME).run(lease -> System.out.println("the Redis is back, and so is the lock"));
    }
}
