package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Looking at locks and breaking them. */
@Tag("integration")
class LookIT {
    private static RedisServer server;

    private final List<LockClient> others = new ArrayList<>();
    private LockClient locks;

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        locks = RedisLocks.builder(server.uri()).clientName("shop").connect();
    }

    @AfterEach
    void close() {
        others.forEach(LockClient::close);
        locks.close();
        server.flushAll();
    }

    private static String[] at(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--url";
        all[args.length + 1] = server.uri();
        return all;
    }

    /** First come, first served: then a grant has one token, and what is shown is what the holder has. */
    private static LockOptions labelled(String label) {
        return LockOptions.defaults().fairness(Fairness.FIFO).label(label);
    }

    private Lease hold(String name, String label) {
        return locks.lock(name, labelled(label)).acquire();
    }

    /** Each from a client of its own: those of one client wait at home for each other. */
    private CompletableFuture<Lease> queue(String name, String label, int place) {
        LockClient other = RedisLocks.connect(server.uri());
        others.add(other);
        CompletableFuture<Lease> waiting = other.lock(name, labelled(label)).acquireAsync();
        await().until(() -> locks.inspector()
                .find(LockKind.LOCK, name)
                .map(status -> status.waiters().size() == place)
                .orElse(false));
        return waiting;
    }

    @Test
    void ls_nothingHeld_saysSo() {
        Called ls = holdfast(at("ls"));

        assertThat(ls.code()).isZero();
        assertThat(ls.out()).isEqualTo("nobody holds or waits for anything\n");
        assertThat(ls.err()).isEmpty();
    }

    @Test
    void ls_held_showsHolderTokenAndWaiters() {
        try (Lease lease = hold("order:42", "packing")) {
            queue("order:42", "shipping", 1);
            locks.semaphore("exports", 3).acquire(2);
            Called ls = holdfast(at("ls"));

            assertThat(ls.code()).isZero();
            assertThat(ls.lines()).hasSize(3);
            assertThat(ls.lines().get(0)).matches("NAME +KIND +HOLDER +HELD +LEFT +TOKEN +WAITERS");
            assertThat(ls.lines().get(1)).matches("exports +semaphore 2/3 +shop@.+/\\d+ .*[0-9]m?s +[0-9]+s +\\d+ +0");
            assertThat(ls.lines().get(2)).matches("order:42 +lock +shop@.+/\\d+ packing .*" + lease.token() + " +1");
        }
    }

    @Test
    void ls_prefix_leavesTheOthersOut() {
        hold("order:1", "a");
        hold("user:1", "b");

        assertThat(holdfast(at("ls", "order:")).out()).contains("order:1").doesNotContain("user:1");
        assertThat(holdfast(at("ls", "nothing")).out()).contains("begins with 'nothing'");
    }

    @Test
    void ls_json_isOneArrayWithEverything() {
        Lease lease = hold("order \"42\"", "a \\ b");

        assertThat(holdfast(at("ls", "--json")).out())
                .startsWith(
                        "[{\"name\":\"order \\\"42\\\"\",\"kind\":\"lock\",\"capacity\":1,\"holders\":[{\"client\":\""
                                + locks.id())
                .contains(
                        "\"application\":\"shop\"",
                        "\"label\":\"a \\\\ b\"",
                        "\"token\":" + lease.token(),
                        "\"waiters\":[]")
                .endsWith("]}]\n".substring(1));
    }

    /** Whoever can name a lock must not be able to write on an operator's screen. */
    @Test
    void ls_controlCharactersInNames_areShownNotObeyed() {
        // No client of ours would write such a thing.
        server.command("HSET", "holdfast:lock:{evil%1b[2Jname}", "hold", "1700000000000000 30000 c:1:la%0dbel\u202e");
        server.command("PEXPIRE", "holdfast:lock:{evil%1b[2Jname}", "40001");

        assertThat(holdfast(at("ls")).out())
                .contains("evil\\u001b[2Jname", "la\\u000dbel\\u202e")
                .doesNotContain("\u001b")
                .doesNotContain("\r");
    }

    @Test
    void show_queue_isInOrder() {
        hold("order:42", "first");
        queue("order:42", "second", 1);
        queue("order:42", "third", 2);

        Called show = holdfast(at("show", "order:42"));

        assertThat(show.code()).isZero();
        assertThat(show.lines()).hasSize(6);
        assertThat(show.lines().get(0)).isEqualTo("order:42, lock");
        assertThat(show.lines().get(2)).contains("first", locks.id());
        assertThat(show.lines().get(3)).matches("PLACE +WAITER +WANTS +WAITS +CLIENT +CLAIM");
        assertThat(show.lines().get(4)).matches(" *1 .*second +1 +[0-9.]+m?s .*");
        assertThat(show.lines().get(5)).matches(" *2 .*third +1 +[0-9.]+m?s .*");
        assertThat(holdfast(at("show", "order:42", "--json")).out())
                .containsPattern("\"threads\":1,\"since\":\"[^\"]+\",\"waitingMillis\":[0-9]{1,5}}");
    }

    @Test
    void show_threadsBehindTheirOwnClient_areCounted() {
        Lease first =
                locks.lock("busy", LockOptions.defaults().label("thread 0")).acquire();
        List<CompletableFuture<Lease>> behind = new ArrayList<>();
        for (int i = 1; i < 4; i++) {
            behind.add(locks.lock("busy").acquireAsync());
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> holdfast(at("show", "busy")).out().contains("thread 0, one of 4 threads"));

        assertThat(holdfast(at("show", "busy")).lines().get(4)).matches(" *1 .* and 3 more in this process .* -");
        assertThat(holdfast(at("ls", "busy")).lines().get(1)).matches("busy .* thread 0, one of 4 threads .* 3");
        assertThat(holdfast(at("ls", "--json")).out())
                .contains("\"label\":\"and 3 more in this process\",\"weight\":1,\"threads\":3}]");
        Called broken = holdfast(at("break", "busy", "--client", locks.id(), "--yes"));
        assertThat(broken.lines()).singleElement().asString().contains("taken: ", "thread 0");
        await().until(() -> !first.isValid());
        assertThat(behind).hasSize(3);
    }

    @Test
    void show_nobody_endsWithOne() {
        Called show = holdfast(at("show", "order:42"));

        assertThat(show.code()).isEqualTo(ExitCodes.NO);
        assertThat(show.out()).isEqualTo("nobody holds or waits for 'order:42'\n");
        assertThat(holdfast(at("show", "order:42", "--json")).out()).isEqualTo("[]\n");
    }

    @Test
    void break_yes_takesItAndTheNextOneGetsIt() throws Exception {
        Lease lease = hold("order:42", "stuck");
        CompletableFuture<Lease> next = queue("order:42", "next", 1);

        Called broken = holdfast(at("break", "order:42", "--yes"));

        assertThat(broken.code()).isZero();
        assertThat(broken.out()).startsWith("taken: lock 'order:42' from shop@").contains("stuck");
        next.get().ensureValid();
        await().until(() -> !lease.isValid());
    }

    @Test
    void break_withoutTerminalAndYes_changesNothing() {
        Lease lease = hold("order:42", "busy");

        Called refused = holdfast(at("break", "order:42"));

        assertThat(refused.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains("there is no terminal to ask at; say --yes if you mean it");
        assertThat(holdfast(at("show", "order:42")).code()).isZero();
        lease.ensureValid();
    }

    @Test
    void break_nameUsedAsTwoThings_asksWhich() {
        hold("a", "lock");
        locks.semaphore("a", 1).acquire();

        Called refused = holdfast(at("break", "a", "--yes"));

        assertThat(refused.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains("'a' is used as LOCK and SEMAPHORE; say which with --kind");
        assertThat(holdfast(at("break", "a", "--yes", "--kind", "semaphore")).code())
                .isZero();
        assertThat(holdfast(at("show", "a", "--kind", "lock")).code()).isZero();
        assertThat(holdfast(at("show", "a", "--kind", "semaphore")).code()).isEqualTo(ExitCodes.NO);
    }

    @Test
    void break_nobody_endsWithOne() {
        assertThat(holdfast(at("break", "order:42", "--yes")).code()).isEqualTo(ExitCodes.NO);
    }

    @Test
    void watch_holdsComeAndGo_saysWhatHappened() throws Exception {
        try (Cli watch = Cli.with(server.uri()).start("watch", "order:42", "--interval", "100ms")) {
            Lease first = hold("order:42", "one");
            watch.awaitOut("acquired  lock  token " + first.token());
            first.close();
            watch.awaitOut("released");
            Lease second = hold("order:42", "stuck");
            watch.awaitOut("token " + second.token());
            assertThat(holdfast(at("break", "order:42", "--yes")).code()).isZero();
            watch.awaitOut("broken    lock  token " + second.token());
            int seen = watch.out().length();
            try (LockClient dying = RedisLocks.connect(server.uri())) {
                // A fixed lease is never renewed: it ends as that of a holder that died. Long enough to be seen by one
                // who looks up late.
                assertThat(dying.lock("order:42").tryLock(Duration.ofSeconds(1), Duration.ofSeconds(4)))
                        .isTrue();
                await().atMost(Cli.PATIENCE)
                        .until(() -> watch.out().substring(seen).contains("acquired"));
                watch.awaitOut("lost");
            }
            watch.signal("INT");
            assertThat(watch.exitCode()).isEqualTo(ExitCodes.INTERRUPTED);
        }
    }

    /** As of any other program: the reader has what it wanted. */
    @Test
    void output_readerHasGone_endsInSilence() {
        hold("order:42", "a");
        try (Cli pipe = Cli.with(server.uri())
                .shell("{ $HOLDFAST ls --watch --interval 100ms; echo ended with $? >&2; } | head -1")) {
            assertThat(pipe.exitCode()).isZero();
            assertThat(pipe.out()).hasLineCount(1);
            assertThat(pipe.err()).isEqualTo("ended with " + ExitCodes.ABANDONED + "\n");
        }
    }

    /** Whoever can write to the store does not write on the terminal. */
    @Test
    void everyCommand_brokenRecordWithControls_printsNoneOfThem() {
        String nasty = "\u001b[2J\u202e";
        server.command("HSET", "holdfast:lock:{" + nasty + "}", "hold", "x y z");
        server.command("HSET", "holdfast:lock:{a}", "hold", nasty + " y z");
        try (Cli list = Cli.with(server.uri()).start("ls");
                Cli loud = Cli.with(server.uri()).start("ls", "--verbose");
                Cli show = Cli.with(server.uri()).start("show", "a", "--verbose");
                Cli run = Cli.with(server.uri()).start("run", "a", "--wait", "0s", "--", "true")) {
            assertThat(list.exitCode()).isZero();
            assertThat(list.err()).hasLineCount(2).contains("'\\u001b[2J\\u202e' cannot be read");
            assertThat(loud.exitCode()).isZero();
            assertThat(show.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(run.exitCode()).isEqualTo(ExitCodes.BROKEN);
            for (Cli each : List.of(list, loud, show, run)) {
                assertThat(each.err() + each.out()).contains("\\u001b[2J").doesNotContain("\u001b", "\u202e");
            }
        }
    }
}
