package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** {@link Locked} on methods that return values, without transactions. */
class LockedTest {
    record Order(String id, List<String> items) {}

    static class Shop {
        private final AtomicInteger runs = new AtomicInteger();

        public AtomicInteger runs() {
            return runs;
        }

        @Locked("order:{order.id}")
        public <T> T ship(Order order, Supplier<T> work) {
            runs.incrementAndGet();
            return work.get();
        }

        @Locked("item:{order.items}")
        public List<Lease> shipAll(Order order, @Held List<Lease> leases) {
            runs.incrementAndGet();
            return leases;
        }

        @Locked("order:{p0}")
        public long token(String id, @Held Lease lease) {
            return lease.token() == CurrentLocks.token() ? lease.token() : -1;
        }

        @Locked(value = "order:{id}", waitFor = "0")
        public String once(String id) {
            runs.incrementAndGet();
            return "done";
        }

        @Locked(value = "order:{id}", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public Optional<String> skipped(String id) {
            return Optional.of("done");
        }

        @Locked(value = "order:{id}", waitFor = "0", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        public String orLater(String id) {
            return "done";
        }

        String later(String id) {
            return "later " + id;
        }

        @LockedJob(value = "report", atLeastFor = "1m")
        public void report() {
            runs.incrementAndGet();
        }

        @Locked(value = "order:{id}", onLost = Locked.OnLost.INTERRUPT)
        public boolean waitInterrupted(String id, CountDownLatch entered) {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
                return false;
            } catch (InterruptedException expected) {
                return true;
            }
        }

        @Locked(value = "doc:{id}", kind = Locked.Kind.READ)
        public <T> T read(String id, Supplier<T> work) {
            return work.get();
        }

        @Locked(value = "doc:{id}", kind = Locked.Kind.WRITE, waitFor = "0")
        public <T> T write(String id, Supplier<T> work) {
            return work.get();
        }

        @Locked(value = "export", kind = Locked.Kind.PERMIT, permits = 2, waitFor = "0")
        public <T> T export(Supplier<T> work) {
            return work.get();
        }
    }

    private TestLocks locks;
    private Shop shop;

    @BeforeEach
    void start() {
        locks = new TestLocks(Shop.class);
        shop = locks.bean(Shop.class);
    }

    @AfterEach
    void stop() {
        locks.close();
    }

    private static Order order(String id, String... items) {
        return new Order(id, List.of(items));
    }

    @Test
    void call_holdsTheNameUntilItReturns() {
        boolean free = shop.ship(order("1"), () -> locks.isFree("order:1"));

        assertThat(free).isFalse();
        assertThat(locks.isFree("order:1")).isTrue();
    }

    @Test
    void call_throws_givesBack() {
        assertThatThrownBy(() -> shop.ship(order("1"), () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(locks.isFree("order:1")).isTrue();
    }

    @Test
    void collection_locksEachName() {
        List<Lease> leases = shop.shipAll(order("1", "a", "b", "a"), null);

        assertThat(leases).extracting(Lease::name).containsExactly("item:a", "item:b");
        assertThat(locks.isFree("item:b")).isTrue();
    }

    @Test
    void missingPart_nothingLockedNothingRun() {
        assertThatThrownBy(() -> shop.ship(order(null), () -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order:{order.id}")
                .hasMessageContaining("ship");
        assertThatThrownBy(() -> shop.ship(null, () -> 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shop.shipAll(order("1"), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty");
        assertThat(shop.runs()).hasValue(0);
        assertThat(locks.elsewhere().inspector().list("")).isEmpty();
    }

    @Test
    void held_isFilledIn() {
        assertThat(shop.token("1", null)).isPositive();
        assertThatThrownBy(CurrentLocks::token).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void busy_throwsSkipsOrFallsBack() {
        try (Lease other = locks.elsewhere().lock("order:1").acquire()) {
            assertThatThrownBy(() -> shop.once("1"))
                    .isInstanceOfSatisfying(
                            LockBusyException.class,
                            busy -> assertThat(busy.names()).containsExactly("order:1"));
            assertThat(shop.skipped("1")).isEmpty();
            assertThat(shop.orLater("1")).isEqualTo("later 1");
            assertThat(shop.runs()).hasValue(0);
        }
        assertThat(shop.once("1")).isEqualTo("done");
        assertThat(shop.skipped("1")).contains("done");
    }

    @Test
    void reentry_isNotAskedFor() {
        String done = shop.ship(
                order("1"),
                () -> shop.ship(order("1"), () -> {
                    CurrentLocks.assertHeld();
                    return "inner " + CurrentLocks.held().leases().size();
                }));

        assertThat(done).isEqualTo("inner 1");
        assertThat(locks.isFree("order:1")).isTrue();
    }

    @Test
    void writer_mayRead_readerMayNotWrite() {
        assertThat(shop.<Boolean>write("1", () -> shop.read("1", () -> true))).isTrue();
        assertThatThrownBy(() -> shop.<Boolean>read("1", () -> shop.write("1", () -> true)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("waits for itself");
    }

    @Test
    void permits_asManyAsSaid() {
        int inside = shop.export(() -> TestLocks.elsewhere(() -> shop.export(() -> TestLocks.elsewhere(() -> {
            try {
                return shop.export(() -> 3);
            } catch (LockBusyException busy) {
                return 2;
            }
        }))));

        assertThat(inside).isEqualTo(2);
    }

    @Test
    void lost_resultIsDropped_whatItThrewIsSuppressed() {
        assertThatThrownBy(() -> shop.ship(order("1"), () -> loseAndKnow("order:1")))
                .isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> shop.ship(order("2"), () -> {
                    loseAndKnow("order:2");
                    throw new IllegalStateException("too");
                }))
                .isInstanceOf(LockLostException.class)
                .satisfies(lost -> assertThat(lost.getSuppressed())
                        .singleElement()
                        .satisfies(thrown -> assertThat(thrown).hasMessage("too")));
    }

    private boolean loseAndKnow(String name) {
        Lease lease = CurrentLocks.lease(name);
        locks.lose(name);
        await().until(() -> !lease.isValid());
        return true;
    }

    @Test
    void lost_interruptsInside_andLeavesNoFlag() {
        CountDownLatch entered = new CountDownLatch(1);
        CompletableFuture<Void> losing = TestLocks.begin(() -> {
            await().until(() -> entered.getCount() == 0);
            locks.lose("order:1");
            return null;
        });

        assertThatThrownBy(() -> shop.waitInterrupted("1", entered)).isInstanceOf(LockLostException.class);
        assertThat(Thread.interrupted()).isFalse();
        losing.join();
    }

    @Test
    void interrupted_whileWaiting_nothingRun() {
        try (Lease other = locks.elsewhere().lock("order:1").acquire()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> shop.ship(order("1"), () -> 1))
                    .isInstanceOf(java.util.concurrent.CancellationException.class);
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(shop.runs()).hasValue(0);
    }

    @Test
    void job_staysTaken_andIsLeftOut() {
        shop.report();
        shop.report();

        assertThat(shop.runs()).hasValue(1);
        assertThat(locks.isFree("report")).isFalse();
    }

    @Test
    void operations_haveTheSameRules() {
        LockOperations operations = locks.bean(LockOperations.class);

        String done = operations.call("order:1", () -> shop.ship(order("1"), () -> "re-entered"));

        assertThat(done).isEqualTo("re-entered");
        try (Lease other = locks.elsewhere().lock("order:1").acquire()) {
            assertThat(operations.waitFor(Duration.ZERO).tryRun("order:1", () -> {}))
                    .isFalse();
            assertThatThrownBy(() -> operations.waitFor(Duration.ZERO).run(List.of("order:2", "order:1"), () -> {}))
                    .isInstanceOf(LockBusyException.class);
        }
        assertThat(locks.isFree("order:2")).isTrue();
    }

    @Test
    void groups_areTemplates() {
        LockGroups groups = locks.bean(LockGroups.class);

        assertThat(groups.groupOf("order:42")).isEqualTo("order:{id}");
        assertThat(groups.groupOf("item:7")).isEqualTo("item:{order.items}");
        assertThat(groups.groupOf("report")).isEqualTo("report");
        assertThat(groups.groupOf("other:7:8")).isEqualTo("other");
    }

    @Import(LosingListener.class)
    static class WithListener {
        /** The same client with other defaults. */
        @Bean(autowireCandidate = false)
        LockClient patient(LockClient locks) {
            return locks.withDefaults(LockOptions.defaults().lease(Duration.ofMinutes(1)));
        }
    }

    static class LosingListener {
        final List<LockLostEvent> events = new java.util.concurrent.CopyOnWriteArrayList<>();

        @org.springframework.context.event.EventListener
        public void lost(LockLostEvent event) {
            events.add(event);
        }
    }

    @Test
    void lost_isOneEventOfTheContext() {
        try (TestLocks other = new TestLocks(WithListener.class)) {
            for (String name : List.of("a", "b")) {
                assertThatThrownBy(() -> other.bean(LockOperations.class).run(name, () -> {
                            other.lose(name);
                            Lease lease = CurrentLocks.lease(name);
                            await().until(() -> !lease.isValid());
                        }))
                        .isInstanceOf(LockLostException.class);
                await().until(() -> other.bean(LosingListener.class).events.stream()
                        .anyMatch(event -> event.name().equals(name)));
            }
            assertThat(other.bean(LosingListener.class).events)
                    .extracting(LockLostEvent::name)
                    .containsExactly("a", "b"); // told in order: what came twice would stand between
        }
    }
}
