package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.LockStoreException;
import io.holdfast.testing.process.Logged;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that another program wrote or damaged: an exception that names the lock and what to do, and never "busy". */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class BadInputRecordTest extends OnEachVersion {
    private LockClient client;

    @BeforeEach
    void open() {
        client = bench.client(server.uri());
    }

    @Test
    void tryAcquire_keyOfAnotherType_namesTheRemedy() {
        server.command("SET", bench.key("a"), "theirs");
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("could not ask Redis for 'a': Redis at 127.0.0.1:" + server.port())
                .hasMessageContaining("WRONGTYPE")
                .hasMessageEndingWith(
                        "a key of another type has the name of a lock; remove it, or use another prefix than '"
                                + bench.prefix() + "'");
        assertThat(server.command("GET", bench.key("a"))).as("left alone").isEqualTo("theirs");
        server.command("DEL", bench.key("a"));
        client.lock("a").tryAcquire().orElseThrow().close();
    }

    @Test
    void semaphore_keyOfAnotherType_namesTheRemedy() {
        server.command("SET", bench.prefix() + ":semaphore:{s}", "theirs");
        assertThatThrownBy(() -> client.semaphore("s", 2).tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("WRONGTYPE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", " ", "x 1 2", "-", "+", "claim 1", "inf", "nan", "9223372036854775807"})
    void tryAcquire_brokenHold_namesTheRemedyAndTouchesNothing(String hold) {
        server.command("HSET", bench.key("a"), "hold", hold);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> client.lock("a").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageStartingWith("could not ask Redis for 'a': Redis at 127.0.0.1:" + server.port())
                    .hasMessageContaining("HOLDFAST the record " + bench.key("a") + " is broken: " + hold)
                    .hasMessageEndingWith("something else wrote to it; delete it when nobody holds it");
        }
        assertThat(bench.hold(server, "a")).isEqualTo(hold);
        server.command("DEL", bench.key("a"));
        client.lock("a").tryAcquire().orElseThrow().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity", "used", "token", "soonest", "longest", "line"})
    void semaphore_brokenField_namesTheRemedy(String field) {
        client.semaphore("s", 2).acquire().close();
        String key = bench.prefix() + ":semaphore:{s}";
        server.command("HSET", key, field, "garbage");
        assertThatThrownBy(() -> client.semaphore("s", 2).tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("could not ask Redis for 's': Redis at 127.0.0.1:" + server.port())
                .hasMessageContaining("HOLDFAST the record " + key + " is broken")
                .hasMessageEndingWith("something else wrote to it; delete it when nobody holds it");
        server.command("DEL", key);
    }

    /** An unreadable place counts as abandoned: the next one is served. */
    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "a:1:x 5 5", "a:1:x 99999999999999999 -5 1 1 p"})
    void release_brokenPlace_servesTheNext(String place) {
        Lease lease = client.lock("a").acquire();
        server.command("HSET", bench.key("a"), "q1", place, "@a:1:x", "1", "line", "0 1");
        server.command("HSET", bench.key("a"), "hold", bench.hold(server, "a") + " +");
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        Bench.soon("a second place")
                .until(() -> String.valueOf(server.command("HGET", bench.key("a"), "line"))
                        .endsWith(" 2"));
        lease.close();
        Bench.get(waiter, Duration.ofSeconds(2)).close();
    }

    /** An unreadable line is not reported as "busy" either. */
    @Test
    void waiter_brokenLine_throws() throws Exception {
        Lease lease = client.lock("a").acquire();
        server.command("HSET", bench.key("a"), "line", "garbage", "hold", bench.hold(server, "a") + " +");
        assertThatThrownBy(() -> bench.client(server.uri()).lock("a").tryAcquire(Duration.ofSeconds(3)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("could not ask Redis for 'a': Redis at 127.0.0.1:" + server.port())
                .hasMessageContaining("HOLDFAST the line of " + bench.key("a") + " is broken")
                .hasMessageEndingWith("something else wrote to it; delete it when nobody holds it");
        server.command("DEL", bench.key("a"));
        lease.close();
    }

    /** The store knows the resource with another capacity. */
    @Test
    void semaphore_otherNumberOfPermits_saysWhich() {
        Lease permit = client.semaphore("s", 2).acquire();
        assertThatThrownBy(() -> bench.client(server.uri()).semaphore("s", 3).tryAcquire())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("capacity of 2, not 3");
        permit.close();
    }

    /** Moves the cursor, adds a line, and writes from right to left. */
    private static final String NASTY = "\u001b[2J\u009b\u202e\u2028";

    @Test
    void tryAcquire_brokenHoldWithControls_saysNoneOfThem() {
        server.command("HSET", bench.key("a"), "hold", "x " + NASTY);
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .satisfies(BadInputRecordTest::saysItPrintably);
    }

    /** Parsers quote what they could not read. */
    @Test
    void find_brokenHoldWithControls_saysNoneOfThem() {
        server.command("HSET", bench.key("a"), "hold", NASTY + " y z");
        assertThatThrownBy(() -> client.inspector().find(LockKind.LOCK, "a"))
                .isInstanceOf(LockStoreException.class)
                .satisfies(BadInputRecordTest::saysItPrintably);
    }

    @Test
    void list_brokenRecordWithControlsInItsName_logsNoneOfThem() {
        try (Logged logged = new Logged("io.holdfast.redis");
                Stream<LockStatus> all = client.inspector().list("")) {
            server.command("HSET", bench.key(NASTY), "hold", "x y z");
            assertThat(all).isEmpty();
            assertThat(logged.of(Level.WARNING, "cannot be read")).anyMatch(each -> each.contains("\\u202e"));
            assertThat(logged.all()).noneMatch(BadInputRecordTest::isHarmful);
        }
    }

    private static void saysItPrintably(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            assertThat(each.toString()).contains("\\u001b[2J").matches(said -> !isHarmful(said));
        }
    }

    private static boolean isHarmful(String text) {
        return "\u001b\u009b\u202e\u2028".chars().anyMatch(each -> text.indexOf(each) >= 0);
    }
}
