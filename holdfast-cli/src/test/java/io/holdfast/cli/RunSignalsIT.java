package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.cli.process.Signals;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which process gets which signal, with a terminal and without one. */
@Tag("integration")
class RunSignalsIT {
    /** Prints each signal at once; ends on USR2. */
    private static final String LISTENER = """
            for each in INT TERM HUP USR1 WINCH; do trap "echo got $each" $each; done
            trap 'kill $!; exit 5' USR2
            sleep 60 &
            echo in $$
            while :; do wait; done
            """;

    private static final String CTRL_C = "\003";
    private static final String CTRL_BACKSLASH = "\034";
    private static final String CTRL_Z = "\032";

    private static RedisServer server;
    private static LockClient locks;

    @BeforeAll
    static void open() {
        server = RedisServer.start(RedisVersion.V7_0);
        locks = RedisLocks.connect(server.uri());
    }

    @AfterAll
    static void close() {
        locks.close();
        server.close();
    }

    private static Optional<LockStatus> status(String name) {
        return locks.inspector().find(LockKind.LOCK, name);
    }

    private static boolean isFree(String name) {
        return locks.lock(name)
                .tryAcquire()
                .map(lease -> {
                    lease.close();
                    return true;
                })
                .orElse(false);
    }

    private static void awaitWaiter(String name) {
        await().atMost(Cli.PATIENCE)
                .until(() ->
                        status(name).filter(each -> !each.waiters().isEmpty()).isPresent());
    }

    @Test
    void signals_withoutATerminal_arePassedOn() {
        try (Cli run = Cli.with(server.uri()).start("run", "on", "--", "sh", "-c", LISTENER)) {
            run.awaitOut("in ");
            for (String each : List.of("INT", "TERM", "HUP", "USR1", "WINCH")) {
                run.signal(each).awaitOut("got " + each);
            }
            assertThat(status("on")).isPresent();
            run.signal("USR2");
            assertThat(run.exitCode()).isEqualTo(5);
        }
    }

    /** USR1 goes the way that HUP would have gone, behind it. */
    @Test
    void hup_underNohup_isNotHeard() {
        String listener = "trap 'kill $!; exit 5' USR1; sleep 60 & echo in $$; while :; do wait; done";
        try (Cli run = Cli.with(server.uri())
                .shell("trap '' HUP; exec $HOLDFAST run nohup -- sh -c " + Cli.quoted(listener))) {
            long command = Outputs.number(run, "in");
            run.signal("HUP");
            Cli.signal("HUP", command);
            run.signal("USR1");
            assertThat(run.exitCode()).isEqualTo(5);
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void term_endsTheCommand_isItsExitCode() {
        try (Cli run = Cli.with(server.uri()).start("run", "term", "--", "sh", "-c", "echo in; exec sleep 60")) {
            run.awaitOut("in").signal("TERM");
            assertThat(run.exitCode()).isEqualTo(143);
            assertThat(run.err()).isEmpty();
            assertThat(isFree("term")).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP"})
    void signal_whileWaiting_leavesTheLine(String signal) {
        try (Lease held = locks.lock("line").acquire();
                Cli run = Cli.with(server.uri()).start("run", "line", "--", "echo", "never")) {
            awaitWaiter("line");
            run.signal(signal);
            assertThat(run.exitCode()).isEqualTo(128 + Signals.number(signal));
            assertThat(status("line").orElseThrow().waiters()).isEmpty();
            assertThat(run.out() + run.err()).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void ctrlC_whileWaiting_leavesTheLineWith130() {
        try (Lease held = locks.lock("keys").acquire();
                Cli run = Cli.with(server.uri()).onTerminal().start("run", "keys", "--", "echo", "never")) {
            run.awaitOut("waiting for 'keys', held");
            awaitWaiter("keys");
            run.type(CTRL_C);
            assertThat(run.exitCode()).isEqualTo(130);
            assertThat(status("keys").orElseThrow().waiters()).isEmpty();
            assertThat(run.out()).doesNotContain("never");
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void ctrlC_whileTheCommandRuns_isHeardOnce() {
        try (Cli run = Cli.with(server.uri()).onTerminal().start("run", "once", "--", "sh", "-c", LISTENER)) {
            run.awaitOut("in ").type(CTRL_C).awaitOut("got INT");
            // USR1 goes the way that a second INT would have gone, behind it.
            run.signal("USR1").awaitOut("got USR1");
            assertThat(run.out().split("got INT", -1)).hasSize(2);
            run.signal("USR2");
            assertThat(run.exitCode()).isEqualTo(5);
            assertThat(isFree("once")).isTrue();
        }
    }

    @Test
    void ctrlC_endsTheCommand_theLockIsFreeAndTheTerminalSane() {
        try (Cli run = Cli.with(server.uri())
                .onTerminal()
                .shell(
                        "stty -a >before; trap : INT; $HOLDFAST run sane -- sh -c 'echo in; exec sleep 60'; echo code $?;"
                                + " stty -a | diff before - && echo sane; rm before")) {
            run.awaitOut("in\r").type(CTRL_C);
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("code 130", "sane");
            assertThat(isFree("sane")).isTrue();
        }
    }

    /** The terminal talks to our group only. */
    @ParameterizedTest
    @ValueSource(strings = {"timeout 60", "setsid"})
    void ctrlC_commandWithAGroupOfItsOwn_endsIt(String apart) {
        try (Cli run = Cli.with(server.uri())
                .onTerminal()
                .shell("exec $HOLDFAST run '" + apart + "' -- " + apart + " sh -c 'echo in; exec sleep 60'")) {
            run.awaitOut("in\r").type(CTRL_C);
            assertThat(run.exitCode()).isEqualTo(130);
            assertThat(isFree(apart)).isTrue();
        }
    }

    @Test
    void ctrlBackslash_endsTheCommandAndOnlyThat() {
        try (Cli run = Cli.with(server.uri())
                .onTerminal()
                .shell("trap : QUIT; $HOLDFAST run quit -- sh -c 'echo in; exec sleep 60'; echo code $?")) {
            run.awaitOut("in\r").type(CTRL_BACKSLASH);
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("code 131").doesNotContain("thread dump");
            assertThat(isFree("quit")).isTrue();
        }
    }

    @Test
    void ctrlZ_longerThanTheLease_endsTheCommandWhenItGoesOn() {
        try (Cli shell =
                Cli.with(server.uri()).env("PS1", "$ ").onTerminal().shell("exec bash --norc --noprofile -i")) {
            shell.type(
                    "$HOLDFAST run stop --lease 2s -- sh -c 'echo in $$; while :; do sleep 0.1; done'; echo co''de $?\n");
            long command = Outputs.number(shell, "in");
            shell.type(CTRL_Z).awaitOut("Stopped");
            await().atMost(Cli.PATIENCE).until(() -> isFree("stop"));
            assertThat(ProcessHandle.of(command)).isPresent();
            shell.type("fg; echo co''de $?\n").awaitOut("lost 'stop'").awaitOut("code 76");
            Outputs.awaitEnded(command);
            shell.type("exit\n");
            assertThat(shell.exitCode()).isZero();
        }
    }

    /** The terminal stops us only; the command would go on without the lock. */
    @Test
    void ctrlZ_commandWithAGroupOfItsOwn_isStoppedAndGoesOnWithUs() {
        try (Cli shell =
                Cli.with(server.uri()).env("PS1", "$ ").onTerminal().shell("exec bash --norc --noprofile -i")) {
            shell.type(
                    "$HOLDFAST run still -- timeout 60 sh -c 'sleep 61 & echo child $!; trap \"kill $!; exit 5\" USR2;"
                            + " echo in $$; while :; do wait; done'; echo co''de $?\n");
            long child = Outputs.number(shell, "child");
            long command = Outputs.number(shell, "in");
            shell.type(CTRL_Z).awaitOut("Stopped");
            await().atMost(Cli.PATIENCE).until(() -> Outputs.isStopped(command) && Outputs.isStopped(child));
            shell.type("fg\n");
            await().atMost(Cli.PATIENCE).until(() -> !Outputs.isStopped(command) && !Outputs.isStopped(child));
            Cli.signal("USR2", command);
            shell.type("echo co''de $?\n").awaitOut("code 5");
            shell.type("exit\n");
            assertThat(shell.exitCode()).isZero();
        }
    }

    @Test
    void interactiveShell_onATerminal_works() {
        try (Cli run = Cli.with(server.uri())
                .env("PS1", "$ ")
                .onTerminal()
                .start("run", "bash", "--", "bash", "--norc", "--noprofile", "-i")) {
            run.awaitOut("$ ").type("echo $((6 * 7)) $HOLDFAST_NAME\n").awaitOut("42 bash");
            run.type("sleep 60\n")
                    .awaitOut("sleep 60\r\n")
                    .type(CTRL_C)
                    .type("echo al''ive\n")
                    .awaitOut("alive");
            assertThat(run.out()).doesNotContain("no job control");
            run.type("exit 4\n");
            assertThat(run.exitCode()).isEqualTo(4);
        }
    }

    @Test
    void kill9_ofHoldfast_endsTheCommandAndItsChild() {
        try (Cli run = Cli.with(server.uri())
                .start(
                        "run",
                        "nine",
                        "--grace",
                        "300ms",
                        "--",
                        "sh",
                        "-c",
                        "trap '' TERM; sleep 61 & echo child $!; echo in $$; while :; do sleep 0.1; done")) {
            long child = Outputs.number(run, "child");
            long command = Outputs.number(run, "in");
            run.signal("KILL");
            Outputs.awaitEnded(command, child);
        }
    }

    @Test
    void kill9_ofOurGroup_endsACommandThatHasItsOwn() {
        try (Cli run = Cli.with(server.uri())
                .shell("exec setsid $HOLDFAST run group -- setsid sh -c 'echo in $$; exec sleep 60'")) {
            long command = Outputs.number(run, "in");
            Cli.signal("KILL", -run.pid());
            Outputs.awaitEnded(command);
        }
    }

    @Test
    void guardian_killed_signalsAreHeardAndAnotherOneGuards() {
        try (Cli run = Cli.with(server.uri()).start("run", "next", "--grace", "300ms", "--", "sh", "-c", LISTENER)) {
            long command = Outputs.number(run, "in");
            for (String each : List.of("TERM", "INT", "HUP")) {
                long guardian = Outputs.guardian(run.pid());
                Cli.signal("KILL", guardian);
                await().atMost(Cli.PATIENCE).until(() -> Outputs.hasEnded(guardian));
                run.signal(each).awaitOut("got " + each);
            }
            run.signal("KILL");
            Outputs.awaitEnded(command);
        }
    }

    @Test
    void guardian_whileTheCommandRuns_hasNothingOfItsAndThenGoes() throws Exception {
        try (Cli run = Cli.with(server.uri()).start("run", "guard", "--", "sh", "-c", "echo in; read line")) {
            run.awaitOut("in");
            long guardian = Outputs.guardian(run.pid());
            try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(guardian), "fd"))) {
                assertThat(open.map(RunSignalsIT::target))
                        .filteredOn(each -> !each.equals("/dev/null"))
                        .hasSize(1)
                        .allMatch(each -> each.startsWith("pipe:"));
            }
            for (String each : List.of("INT", "TERM", "HUP", "QUIT", "TSTP")) {
                Cli.signal(each, guardian);
            }
            run.type("\n");
            assertThat(run.exitCode()).isZero();
            Outputs.awaitEnded(guardian);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "/dev/null";
        }
    }

    @Test
    void run_inAPipe_endsItWithTheCommand() {
        try (Cli run = Cli.with(server.uri()).shell("$HOLDFAST run pipe -- echo in | cat; echo end")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).isEqualTo("in\nend\n");
        }
    }
}
