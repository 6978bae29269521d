package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.LostReason;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator sees, and what breaking a lock does. */
@Tag("integration")
class RedisInspectorTest {
    private static final LockOptions FIFO = LockOptions.defaults().fairness(Fairness.FIFO);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private LockClient holder;
    private LockClient operator;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        operator = bench.open(RedisLocks.connect(server.uri()));
        holder = bench.open(
                RedisLocks.builder(server.uri()).clientName("billing").connect());
    }

    /** The server keeps a mutex for a millisecond more than its lease; nobody should see that. */
    @Test
    void find_freshLease_neverMoreThanTheLease() {
        for (int i = 0; i < 200; i++) {
            try (Lease lease = holder.lock("fresh-" + i).acquire()) {
                assertThat(status(lease.name()).holders())
                        .singleElement()
                        .satisfies(held -> assertThat(held.left()).isLessThanOrEqualTo(LockOptions.DEFAULT_LEASE));
            }
        }
    }

    /** It asks again and again; it came once. */
    @Test
    void find_waiter_tellsSinceWhenHoweverOftenItAsks() {
        try (Lease lease = holder.lock("a", FIFO).acquire()) {
            operator.lock(lease.name(), FIFO).acquireAsync();
            operator.readWriteLock("b").writeLock().acquire();
            holder.readWriteLock("b").readLock().acquireAsync();
            for (LockKind kind : List.of(LockKind.LOCK, LockKind.READ_WRITE)) {
                String name = kind == LockKind.LOCK ? "a" : "b";
                await().until(() -> waitingSince(kind, name).isPresent());
                Instant since = waitingSince(kind, name).orElseThrow();
                assertThat(since)
                        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
                String until = place(kind, name);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> !place(kind, name).equals(until));
                assertThat(waitingSince(kind, name)).hasValue(since);
            }
        }
    }

    private Optional<Instant> waitingSince(LockKind kind, String name) {
        return operator.inspector()
                .find(kind, name)
                .flatMap(status -> status.waiters().stream().findFirst())
                .flatMap(LockStatus.Waiter::since);
    }

    /** What its claim wrote when it asked last. */
    private String place(LockKind kind, String name) {
        String key = "holdfast:" + (kind == LockKind.LOCK ? "lock" : "rw") + ":{" + name + "}";
        return String.valueOf(server.command("HGET", key, "q1"));
    }

    @Test
    void wasBroken_onlyOfWhatWasBroken() {
        Lease broken = holder.lock("a").acquire();
        LockStatus first = status("a");
        assertThat(operator.inspector().wasBroken(first, first.holders().get(0)))
                .isFalse();
        assertThat(operator.inspector().breakClaim(first, first.holders().get(0)))
                .isTrue();
        assertThat(operator.inspector().wasBroken(first, first.holders().get(0)))
                .isTrue();
        assertThat((long) server.command(
                        "PTTL",
                        "holdfast:revoked:{a}:" + holder.id() + ":"
                                + first.holders().get(0).claim()))
                .isBetween(1L, 60_000L);
        await().until(() -> !broken.isValid());

        Lease released = holder.lock("a").acquire();
        LockStatus second = status("a");
        released.close();
        assertThat(operator.inspector().wasBroken(second, second.holders().get(0)))
                .isFalse();
        try (Stream<LockStatus> all = operator.inspector().list("")) {
            assertThat(all).isEmpty();
        }
    }

    @Test
    void find_heldAndWaitedFor_showsHolderAndLine() {
        Instant before = Instant.now().minusSeconds(1);
        try (Lease lease = holder.lock("order:{42} %x", FIFO.label("the first")).acquire()) {
            List<CompletionStage<Lease>> waiting = new ArrayList<>();
            for (String label : List.of("the second", "the third")) {
                waiting.add(operator.lock("order:{42} %x", FIFO.label(label)).acquireAsync());
                int queued = waiting.size();
                await().until(() -> status("order:{42} %x").waiters().size() == queued);
            }

            LockStatus status = status("order:{42} %x");
            assertThat(status.holders()).singleElement().satisfies(held -> {
                assertThat(held.label()).isEqualTo("the first");
                assertThat(held.client().id()).isEqualTo(holder.id());
                assertThat(held.client().name()).isEqualTo("billing");
                assertThat(held.client().pid())
                        .isEqualTo(ProcessHandle.current().pid());
                assertThat(held.client().host()).isNotEmpty();
                assertThat(held.token()).isGreaterThanOrEqualTo(lease.token());
                assertThat(held.left()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
                assertThat(held.since())
                        .hasValueSatisfying(since -> assertThat(since)
                                .isBetween(before, Instant.now().plusSeconds(1)));
            });
            assertThat(status.waiters())
                    .extracting(LockStatus.Waiter::label)
                    .containsExactly("the second", "the third");
            waiting.forEach(each -> each.thenAccept(Lease::close));
        }
    }

    @Test
    void list_manyLocksOfEveryKind_findsThoseWithThePrefix() {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            held.add(holder.lock("a*b:" + i).acquire());
            held.add(holder.lock("other:" + i).acquire());
        }
        held.add(holder.semaphore("a*b:permits", 3).acquire(2));
        held.add(holder.readWriteLock("a*b:catalog").readLock().acquire());
        server.command("SET", "holdfast:lock:{a*b:alien", "not ours");

        try (Stream<LockStatus> all = operator.inspector().list("a*b:")) {
            List<LockStatus> found = all.toList();
            assertThat(found)
                    .hasSize(702)
                    .allSatisfy(each -> assertThat(each.name()).startsWith("a*b:"));
            assertThat(found).extracting(LockStatus::kind).contains(LockKind.SEMAPHORE, LockKind.READ_WRITE);
        }
        assertThat(server.commandStats()).containsKey("scan").doesNotContainKey("keys");
        held.forEach(Lease::close);
    }

    @Test
    void breakClaim_fixedLease_isToldToTheHolderAndPassedOn() {
        Lease lease = holder.lock("order:42", LockOptions.defaults().fixedLease(Duration.ofMinutes(1)))
                .acquire();
        AtomicReference<LostReason> reason = new AtomicReference<>();
        lease.onLost(reason::set);
        await().until(() -> server.command("PUBSUB", "NUMSUB", "holdfast:client:" + holder.id())
                .toString()
                .endsWith("1]"));
        LockInspector inspector = operator.inspector();
        LockStatus seen = status("order:42");
        LockStatus.Holder broken = seen.holders().get(0);

        assertThat(inspector.breakClaim(seen, broken)).isTrue();

        await().atMost(Duration.ofSeconds(2)).until(() -> reason.get() == LostReason.FORGOTTEN);
        assertThat(lease.isValid()).isFalse();
        assertThat(operator.lock("order:42").tryAcquire()).hasValueSatisfying(next -> {
            assertThat(next.token()).isGreaterThan(lease.token());
            lease.close();
            assertThat(next.isValid()).isTrue();
            next.close();
        });
        assertThat(inspector.breakClaim(seen, broken)).isFalse();
    }

    private LockStatus status(String name) {
        return operator.inspector().find(LockKind.LOCK, name).orElseThrow();
    }
}
