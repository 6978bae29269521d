package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who asks us to end does not wait for a store that has stopped to answer. */
@Tag("integration")
class RunHungStoreIT {
    private static final int HUP = 128 + 1;
    private static final int TERM = 128 + 15;

    @Test
    void secondSignal_whileWaiting_endsUsAtOnce() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                LockClient locks = RedisLocks.connect(server.uri());
                Lease held = locks.lock("line").acquire();
                Cli run = Cli.with(server.uri()).start("run", "line", "--", "echo", "never")) {
            await().atMost(Cli.PATIENCE).until(() -> isWaitedFor(locks));
            server.pause();
            assertThat(hupAndTermUntilItEnds(run)).isEqualTo(TERM);
            server.resume();
            assertThat(held.isValid()).isTrue();
        }
    }

    private static boolean isWaitedFor(LockClient locks) {
        return locks.inspector()
                .find(LockKind.LOCK, "line")
                .map(LockStatus::waiters)
                .filter(waiters -> !waiters.isEmpty())
                .isPresent();
    }

    /**
     * More than one TERM, because those that come together with the first signal do not count. All from one shell:
     * after a pause of three seconds the first signal alone would be enough.
     */
    private static int hupAndTermUntilItEnds(Cli run) {
        String kill = "kill -s HUP " + run.pid() + "; while kill -s TERM " + run.pid() + "; do sleep 0.1; done";
        try (Cli shell = Cli.with("redis://localhost:1").shell(kill)) {
            int code = run.exitCode();
            shell.exitCode();
            return code;
        }
    }

    @Test
    void oneSignal_releaseIsNotAnswered_isEnough() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                Cli run = ended(server)) {
            run.signal("HUP");
            assertThat(run.exitCode()).isEqualTo(HUP);
        }
    }

    @Test
    void secondSignal_releaseIsNotAnswered_endsUsAtOnce() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                Cli run = ended(server)) {
            assertThat(hupAndTermUntilItEnds(run)).isEqualTo(TERM);
        }
    }

    /** The command has ended, and the store does not answer. The guardian is dismissed in between. */
    private static Cli ended(RedisServer server) {
        Cli run = Cli.with(server.uri()).start("run", "mute", "--", "sh", "-c", "echo in; read line; exit 3");
        run.awaitOut("in");
        long guardian = Outputs.guardian(run.pid());
        server.pause();
        run.type("\n");
        await().atMost(Cli.PATIENCE).until(() -> Outputs.hasEnded(guardian));
        return run;
    }
}
