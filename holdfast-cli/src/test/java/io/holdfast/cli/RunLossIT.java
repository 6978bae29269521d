package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command does not outlive its lock. */
@Tag("integration")
class RunLossIT {
    /** Does not listen, and has a child that does not either. */
    private static final String STUBBORN = """
            trap '' TERM
            sh -c 'trap "" TERM; while :; do sleep 0.05; done' &
            echo child $!
            echo in $$
            while :; do sleep 0.05; done
            """;

    @TempDir
    private Path folder;

    @Test
    void lost_brokenByAnOperator_endsTheCommandAndItsChild() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                LockClient locks = RedisLocks.connect(server.uri());
                Cli run = Cli.with(server.uri())
                        .start("run", "db", "--lease", "3s", "--grace", "300ms", "--", "sh", "-c", STUBBORN)) {
            long child = Outputs.number(run, "child");
            long command = Outputs.number(run, "in");
            breakLock(locks.inspector());
            assertThat(run.exitCode()).isEqualTo(ExitCodes.LOST);
            assertThat(run.err())
                    .isEqualTo(
                            "holdfast: lost 'db': somebody took it away, or the store forgot it; ending the command\n");
            Outputs.assertEnded(command, child);
        }
    }

    private static void breakLock(LockInspector inspector) {
        LockStatus seen = inspector.find(LockKind.LOCK, "db").orElseThrow();
        assertThat(inspector.breakClaim(seen, seen.holders().get(0))).isTrue();
    }

    @Test
    void lost_serverGone_endsTheCommandWithTheLease() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                Cli run = Cli.with(server.uri())
                        .start("run", "db", "--lease", "3s", "--", "sh", "-c", "echo in $$; exec sleep 60")) {
            long command = Outputs.number(run, "in");
            server.kill();
            run.awaitErr("'db' could not be renewed; it is lost in ");
            assertThat(run.exitCode()).isEqualTo(ExitCodes.LOST);
            assertThat(run.err()).hasLineCount(2).contains("lost 'db': the store did not answer");
            Outputs.assertEnded(command);
        }
    }

    @Test
    void lost_commandListens_endsItself() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                LockClient locks = RedisLocks.connect(server.uri());
                Cli run = Cli.with(server.uri())
                        .start(
                                "run",
                                "db",
                                "--lease",
                                "3s",
                                "--",
                                "sh",
                                "-c",
                                "trap 'echo bye; exit 0' TERM; echo in $$; while :; do sleep 0.05; done")) {
            Outputs.number(run, "in");
            breakLock(locks.inspector());
            assertThat(run.exitCode()).isEqualTo(ExitCodes.LOST);
            assertThat(run.out()).endsWith("bye\n");
            await().atMost(Cli.PATIENCE)
                    .until(() -> locks.inspector().find(LockKind.LOCK, "db").isEmpty());
        }
    }

    @Test
    void lost_nobodyReadsOurErrors_endsTheCommandAllTheSame() {
        String full = "mkfifo errors && exec 3<>errors && head -c 65536 /dev/zero >&3 && ";
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                Cli run = Cli.with(server.uri())
                        .in(folder)
                        .shell(
                                full
                                        + "$HOLDFAST run db --lease 2s -- sh -c 'echo in $$; exec sleep 60' 2>&3; echo code $?")) {
            long command = Outputs.number(run, "in");
            server.kill();
            run.awaitOut("code 76");
            Outputs.assertEnded(command);
        }
    }
}
