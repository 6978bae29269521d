package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.redis.protocol.LinesFormat;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientLines;
import io.holdfast.testing.redis.CommandStat;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others see of threads that share a lock inside one client, and what that costs. */
@Tag("integration")
class RedisLinesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private LockClient locks;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        locks = bench.open(RedisLocks.connect(server.uri()));
    }

    private CompletableFuture<Lease> by(String name, String label) {
        return locks.lock(name, LockOptions.defaults().label(label)).acquireAsync();
    }

    /** One lease and its waiters behind the client's claim. */
    private List<CompletableFuture<Lease>> crowd(String name, int size) {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        all.add(by(name, "thread 0"));
        all.get(0).join();
        for (int i = 1; i < size; i++) {
            all.add(by(name, "thread " + i));
        }
        return all;
    }

    private static List<String> holders(LockClient operator, String name) {
        return operator.inspector().find(LockKind.LOCK, name).stream()
                .flatMap(status -> status.holders().stream())
                .map(LockStatus.Holder::label)
                .toList();
    }

    private long calls(String command) {
        CommandStat stat = server.commandStats().get(command);
        return stat == null ? 0 : stat.calls();
    }

    @Test
    void find_threadsBehindTheirOwnClient_othersSeeHowMany() {
        try (LockClient operator = RedisLocks.connect(server.uri())) {
            List<CompletableFuture<Lease>> all = crowd("order 42 %\n", 20);
            await().atMost(PATIENCE)
                    .until(() -> holders(operator, "order 42 %\n").equals(List.of("thread 0, one of 20 threads")));

            LockStatus status =
                    operator.inspector().find(LockKind.LOCK, "order 42 %\n").orElseThrow();
            assertThat(status.waiters()).singleElement().satisfies(waiter -> {
                assertThat(waiter.label()).isEqualTo("and 19 more in this process");
                assertThat(waiter.client().id()).isEqualTo(locks.id());
                assertThat(waiter.threads()).isEqualTo(19);
                assertThat(waiter.claim()).isZero();
            });
            assertThat(status.waiting()).isEqualTo(19);

            all.subList(1, 20).forEach(each -> each.cancel(false));
            await().atMost(PATIENCE)
                    .until(() -> holders(operator, "order 42 %\n").equals(List.of("thread 0")));
            assertThat(operator.inspector()
                            .find(LockKind.LOCK, "order 42 %\n")
                            .orElseThrow()
                            .waiters())
                    .isEmpty();
        }
    }

    @Test
    void find_passedOnInsideAnotherClient_showsWhoHasItNow() {
        try (LockClient operator = RedisLocks.connect(server.uri())) {
            AtomicLong tries = new AtomicLong();
            await().atMost(PATIENCE).until(() -> {
                String name = "passed on " + tries.incrementAndGet();
                Lease first = by(name, "first").join();
                CompletableFuture<Lease> second = by(name, "second");
                first.close();
                return second.join().token() == first.token() + 1; // else it went through the store, which knows it
            });

            await().atMost(PATIENCE)
                    .until(() -> holders(operator, "passed on " + tries.get()).equals(List.of("second")));
        }
    }

    @Test
    void tell_handOvers_oneWritePerRoundHoweverMany() throws Exception {
        AtomicLong turns = new AtomicLong();
        AtomicLong stop = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        await().until(() -> server.command("PUBSUB", "CHANNELS") instanceof List<?> channels && !channels.isEmpty());
        server.resetStats();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                while (stop.get() == 0) {
                    locks.lock("busy").acquire().close();
                    turns.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        await().atMost(PATIENCE).until(() -> calls("eval") > 0 && turns.get() > 1_000);
        await().atMost(PATIENCE).until(() -> calls("ping") >= 2);
        stop.set(1);
        for (Thread thread : threads) {
            thread.join();
        }
        long written = calls("eval");

        assertThat(written).as("cards written in %d turns", turns.get()).isBetween(1L, calls("ping") + 1);
    }

    @Test
    void tell_nothingNew_noCommand() {
        List<CompletableFuture<Lease>> all = crowd("steady", 3);
        String card = "holdfast:client:{" + locks.id() + "}";
        await().atMost(PATIENCE)
                .until(() ->
                        Replies.string(server.command("HGET", card, "lines")).contains(" 2 steady "));
        server.resetStats();

        await().atMost(PATIENCE).until(() -> calls("ping") >= 2); // one in each round, before the card

        assertThat(calls("eval")).isZero();
        assertThat(all).hasSize(3);
    }

    @Test
    void text_manyNames_thoseWithTheMostThreads() {
        List<ClientLine> lines = new ArrayList<>();
        for (int i = 0; i < ClientLines.MOST + 50; i++) {
            lines.add(new ClientLine("name " + i, i, "ho\nlder %", i));
        }

        assertThat(LinesFormat.text(lines).lines()).hasSize(ClientLines.MOST);
        List<ClientLine> read = LinesFormat.read(LinesFormat.text(lines));

        assertThat(read)
                .hasSize(ClientLines.MOST)
                .contains(lines.get(50), lines.get(149))
                .doesNotContain(lines.get(49));
    }

    @Test
    void read_notOurs_leftOut() {
        assertThat(LinesFormat.read("1 x a b\n\n1 2 3\n7 -5 a \nx 1 a b\n1 99999999999 a b"))
                .containsExactly(new ClientLine("a", 7, "", 0));
    }
}
