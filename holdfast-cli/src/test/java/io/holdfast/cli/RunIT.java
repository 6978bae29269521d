package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Running something under a lock, and not getting it. */
@Tag("integration")
class RunIT {
    private static RedisServer server;
    private static LockClient locks;

    @TempDir
    private Path folder;

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

    private static Cli run(String... args) {
        return Cli.with(server.uri()).start(args);
    }

    private static Optional<LockStatus> status(LockKind kind, String name) {
        return locks.inspector().find(kind, name);
    }

    @Test
    void run_commandEnds_codePassesThroughAndTheLockIsFree() {
        try (Cli seven = run("run", "codes", "--", "sh", "-c", "exit 7");
                Cli killed = run("run", "killed", "--", "sh", "-c", "kill -9 $$")) {
            assertThat(seven.exitCode()).isEqualTo(7);
            assertThat(killed.exitCode()).isEqualTo(137);
            assertThat(seven.err() + seven.out() + killed.err()).isEmpty();
        }
        assertThat(status(LockKind.LOCK, "codes")).isEmpty();
    }

    @Test
    void run_environment_namesTheLeaseAndTokensGrow() {
        long before;
        try (Lease lease = locks.lock("tokens").acquire()) {
            before = lease.token();
        }
        Instant start = Instant.now();
        try (Cli env = run("run", "tokens", "--lease", "20s", "--", "env")) {
            assertThat(env.exitCode()).isZero();
            assertThat(env.out()).contains("HOLDFAST_NAME=tokens\n", "HOLDFAST_URL=" + server.uri() + "\n");
            assertThat(Long.parseLong(value(env.out(), "HOLDFAST_TOKEN", "[0-9]+")))
                    .isGreaterThan(before);
            Instant until = Instant.parse(value(env.out(), "HOLDFAST_LEASE_UNTIL", "[^.]*\\.[0-9]{3}Z"));
            assertThat(until).isBetween(start.plusSeconds(10), Instant.now().plusSeconds(20));
        }
    }

    private static String value(String out, String name, String form) {
        Matcher found = Pattern.compile("^" + name + "=(" + form + ")$", Pattern.MULTILINE)
                .matcher(out);
        assertThat(found.find()).as(name).isTrue();
        return found.group(1);
    }

    @Test
    void run_twoProcesses_excludeEachOther() {
        try (Cli first = run("run", "two", "--", "sh", "-c", "echo in; read line; echo out")) {
            first.awaitOut("in");
            try (Cli second = run("run", "two", "--", "echo", "after");
                    Cli third = run("run", "two", "--wait", "0s", "--", "echo", "never")) {
                assertThat(third.exitCode()).isEqualTo(ExitCodes.BUSY);
                assertThat(third.err())
                        .hasLineCount(1)
                        .matches("holdfast: 'two' is busy, held for .* by .*/" + first.pid()
                                + " \\(sh -c echo in; read line; echo out\\)\n");
                await().atMost(Cli.PATIENCE).until(() -> isWaitedFor(locks, "two"));
                assertThat(second.out()).isEmpty();
                first.type("go\n");
                assertThat(first.exitCode()).isZero();
                assertThat(second.exitCode()).isZero();
                assertThat(second.out()).isEqualTo("after\n");
                assertThat(third.out()).isEmpty();
            }
        }
    }

    @Test
    void run_oneTry_doesNotSayThatItWaits() {
        try (Lease held = locks.lock("try").acquire();
                Cli run = Cli.with(server.uri())
                        .onTerminal()
                        .start("run", "try", "--wait", "0s", "--", "echo", "never")) {
            assertThat(run.exitCode()).isEqualTo(ExitCodes.BUSY);
            assertThat(run.out()).contains("'try' is busy, held for").doesNotContain("waiting");
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void run_busyUntilTheWaitIsOver_says75() {
        try (Lease held =
                        locks.lock("short", LockOptions.defaults().label("me")).acquire();
                Cli late = run("run", "short", "--wait", "3s", "--", "echo", "never")) {
            assertThat(late.exitCode()).isEqualTo(ExitCodes.BUSY);
            assertThat(late.err()).contains("(me)");
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void run_wrongPassword_isBrokenAndNotBusy() {
        try (RedisServer closed = RedisServer.builder(RedisVersion.V7_0)
                        .config("requirepass", "right")
                        .start();
                Cli wrong = Cli.with("redis://:secret@127.0.0.1:" + closed.port())
                        .start("run", "x", "--wait", "0s", "--", "echo", "never")) {
            assertThat(wrong.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(wrong.err()).hasLineCount(1).doesNotContain("secret").doesNotContain("\tat ");
        }
    }

    @Test
    void run_serverDiesWhileWaiting_isBrokenAndNotBusy() {
        try (RedisServer mortal = RedisServer.start(RedisVersion.V7_0);
                LockClient holder = RedisLocks.connect(mortal.uri());
                Lease held = holder.lock("x").acquire();
                Cli waiter = Cli.with(mortal.uri()).start("run", "x", "--wait", "6s", "--", "echo", "never")) {
            await().atMost(Cli.PATIENCE).until(() -> isWaitedFor(holder, "x"));
            mortal.kill();
            assertThat(waiter.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(waiter.err()).contains("x").doesNotContain("busy").doesNotContain("\tat ");
            assertThat(held.name()).isEqualTo("x");
        }
    }

    @Test
    void run_serverRestartsWhileWaiting_waitsOn() {
        try (RedisServer mortal = RedisServer.start(RedisVersion.V7_0);
                LockClient holder = RedisLocks.connect(mortal.uri());
                Lease held = holder.lock("x").acquire();
                Cli waiter = Cli.with(mortal.uri()).start("run", "x", "--", "echo", "mine")) {
            await().atMost(Cli.PATIENCE).until(() -> isWaitedFor(holder, "x"));
            mortal.kill();
            waiter.awaitErr("waiting for the store, at most 30s: could not ask Redis for 'x'");
            mortal.restartEmpty();
            assertThat(waiter.exitCode()).isZero();
            assertThat(waiter.out()).isEqualTo("mine\n");
            assertThat(held.name()).isEqualTo("x");
        }
    }

    /** No waiting gives a key its type back, or a user its rights. */
    @Test
    void run_troubleThatLasts_endsWithoutWaitingForTheStore() {
        server.command("SET", "holdfast:lock:{other type}", "x");
        server.command("ACL", "SETUSER", "reader", "on", ">secret", "~*", "&*", "+@all");
        try (Cli typed = run("run", "other type", "--", "echo", "never");
                LockClient holder = RedisLocks.connect(server.uri());
                Lease held = holder.lock("rights").acquire();
                Cli stripped = Cli.with(server.uri().replace("redis://", "redis://reader:secret@"))
                        .start("run", "rights", "--", "echo", "never")) {
            await().atMost(Cli.PATIENCE).until(() -> isWaitedFor(holder, "rights"));
            server.command("ACL", "SETUSER", "reader", "resetkeys");

            assertThat(typed.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(stripped.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(typed.err()).hasLineCount(1).contains("WRONGTYPE").contains("another prefix");
            assertThat(stripped.err()).contains("the user lacks the keys").doesNotContain("waiting for the store");
            assertThat(held.isValid()).isTrue();
        }
    }

    static boolean isWaitedFor(LockClient client, String name) {
        return client.inspector()
                .find(LockKind.LOCK, name)
                .filter(each -> !each.waiters().isEmpty())
                .isPresent();
    }

    @Test
    void run_interpreterMissing_isSaidAndTheLockGivenBack() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (Cli bad = run("run", "interpreter", "--", script.toString())) {
            assertThat(bad.exitCode()).isIn(ExitCodes.NOT_EXECUTABLE, ExitCodes.NOT_FOUND);
            assertThat(bad.err()).hasLineCount(1).contains("script");
        }
        assertThat(status(LockKind.LOCK, "interpreter")).isEmpty();
    }

    @Test
    void run_sharedAndExclusive_areTheSidesOfOneLock() {
        try (Cli one = run("run", "rw", "--shared", "--", "sh", "-c", "echo in; read line");
                Cli two = run("run", "--shared", "rw", "--", "sh", "-c", "echo in; read line")) {
            one.awaitOut("in");
            two.awaitOut("in");
            try (Cli writer = run("run", "rw", "--exclusive", "--wait", "0s", "--", "true")) {
                assertThat(writer.exitCode()).isEqualTo(ExitCodes.BUSY);
                assertThat(writer.err()).contains("and 1 more");
            }
            one.endInput();
            two.endInput();
            assertThat(one.exitCode() + two.exitCode()).isEqualTo(2);
        }
        try (Lease writing = locks.readWriteLock("rw").writeLock().acquire();
                Cli reader = run("run", "rw", "--shared", "--wait", "0s", "--", "true")) {
            assertThat(reader.exitCode()).isEqualTo(ExitCodes.BUSY);
            assertThat(writing.isValid()).isTrue();
        }
    }

    @Test
    void run_permits_areThoseOfTheSemaphore() {
        try (Lease one = locks.semaphore("three", 3).acquire();
                Cli two = run("run", "three", "--permits", "2/3", "--wait", "0s", "--", "echo", "fits");
                Cli three = run("run", "three", "--permits", "3/3", "--wait", "0s", "--", "echo", "never");
                Cli other = run("run", "three", "--permits", "1/4", "--wait", "0s", "--", "echo", "never")) {
            assertThat(two.exitCode()).isZero();
            assertThat(three.exitCode()).isEqualTo(ExitCodes.BUSY);
            assertThat(other.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(other.err()).hasLineCount(1).contains("3");
            assertThat(one.isValid()).isTrue();
        }
    }

    @Test
    void run_nameInUseAsAnotherKind_isRefusedWithAdvice() {
        try (Lease reading = locks.readWriteLock("kind-rw").readLock().acquire();
                Lease permit = locks.semaphore("kind-permits", 5).acquire();
                Lease plain = locks.lock("kind-lock").acquire();
                Cli first = run("run", "kind-rw", "--", "echo", "never");
                Cli second = run("run", "kind-permits", "--shared", "--", "echo", "never");
                Cli third = run("run", "kind-lock", "--exclusive", "--", "echo", "never")) {
            assertThat(first.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(first.err())
                    .isEqualTo("holdfast: 'kind-rw' is in use as a read-write lock: say --exclusive or --shared\n");
            assertThat(second.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(second.err()).contains("say --permits K/5");
            assertThat(third.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(third.err()).contains("a plain lock");
            assertThat(reading.isValid() && permit.isValid() && plain.isValid()).isTrue();
        }
    }

    @Test
    void run_oddName_cannotMoveTheCursor() {
        String odd = "a\033[31m\nb";
        try (Lease held = locks.lock(odd).acquire();
                Cli busy = run("run", odd, "--wait", "0s", "--", "echo", "never");
                Cli other = run("run", odd, "--shared", "--", "echo", "never")) {
            assertThat(busy.exitCode()).isEqualTo(ExitCodes.BUSY);
            assertThat(busy.err()).hasLineCount(1).startsWith("holdfast: 'a\\u001b[31m\\u000ab' is busy");
            assertThat(other.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(other.err()).hasLineCount(1).startsWith("holdfast: 'a\\u001b[31m\\u000ab' is in use");
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void run_programThatLooksLikeAnOption_isRun() throws Exception {
        Path program = Files.writeString(folder.resolve("-foo"), "#!/bin/sh\necho foo $1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        try (Cli foo = Cli.with(server.uri())
                .env("PATH", folder + ":" + System.getenv("PATH"))
                .start("run", "option", "--", "-foo", "-bar")) {
            assertThat(foo.exitCode()).isZero();
            assertThat(foo.out()).isEqualTo("foo -bar\n");
        }
    }

    @Test
    void run_whatCannotBeRun_doesNotTouchTheStore() {
        server.resetStats();
        try (Cli none = run("run", "untouched", "--", "no-such-command")) {
            assertThat(none.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        }
        assertThat(server.info("stats")).containsEntry("total_connections_received", "1"); // ours
    }

    @Test
    void run_bytes_passUnchanged() throws Exception {
        byte[] all = new byte[100_000];
        new Random(7).nextBytes(all);
        Path file = Files.write(folder.resolve("bytes"), all);
        try (Cli cat = Cli.with(server.uri()).shell("$HOLDFAST run bytes -- cat <" + file)) {
            assertThat(cat.exitCode()).isZero();
            assertThat(cat.outBytes()).isEqualTo(all);
        }
    }

    @Test
    void run_words_areTheCommandsOwn() throws Exception {
        Files.writeString(folder.resolve("file"), "expanded");
        try (Cli echo = Cli.with(server.uri())
                .in(folder)
                .start("run", "w", "--", "printf", "[%s]", "@file", "--", "--wait", "", "a b")) {
            assertThat(echo.exitCode()).isZero();
            assertThat(echo.out()).isEqualTo("[@file][--][--wait][][a b]");
        }
    }

    @Test
    void run_insideRun_holdsBoth() {
        try (Cli nested = new Cli.Start()
                .shell("$HOLDFAST run a --url " + server.uri() + " -- sh -c "
                        + "'$HOLDFAST run b -- sh -c \"echo in; read line\"'")) {
            nested.awaitOut("in");
            assertThat(status(LockKind.LOCK, "a")).isPresent();
            assertThat(status(LockKind.LOCK, "b")).isPresent();
            nested.type("\n");
            assertThat(nested.exitCode()).isZero();
        }
        assertThat(status(LockKind.LOCK, "a")).isEmpty();
    }

    @Test
    void run_label_isShown() {
        try (Cli labelled = run("run", "label", "--label", "nightly", "--", "sh", "-c", "echo in; read line")) {
            labelled.awaitOut("in");
            assertThat(status(LockKind.LOCK, "label").orElseThrow().holders())
                    .extracting(LockStatus.Holder::label)
                    .containsExactly("nightly");
        }
    }

    @Test
    void run_serverDiesAndTheCommandEnds_codeStaysAndTroubleIsSaid() {
        try (RedisServer mortal = RedisServer.start(RedisVersion.V7_0);
                Cli last = Cli.with(mortal.uri()).start("run", "x", "--", "sh", "-c", "echo in; read line; exit 3")) {
            last.awaitOut("in");
            mortal.kill();
            last.type("\n");
            assertThat(last.exitCode()).isEqualTo(3);
            assertThat(last.err()).hasLineCount(1).contains("'x' could not be given back");
        }
    }
}
