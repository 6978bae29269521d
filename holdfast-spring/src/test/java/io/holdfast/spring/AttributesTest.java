package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** The attributes of {@link Locked} reach the client, and mean what they say. */
class AttributesTest {

    static class Clients {
        @Bean
        WatchedClient watch() {
            return new WatchedClient(() -> {});
        }

        @Bean(autowireCandidate = false)
        LockClient watched(WatchedClient watch, LockClient locks) {
            return watch.watch(locks);
        }
    }

    static class Shop {
        @Locked(
                value = "order:{p0}",
                client = "watched",
                lease = "7s",
                maxHold = "2m",
                fairness = Fairness.FIFO,
                label = "shipping")
        public String label(String id) {
            return CurrentLocks.lease("order:" + id).name();
        }

        @Locked(value = "order:{p0}", client = "watched")
        public void plain(String id) {
            CurrentLocks.assertHeld();
        }

        @Locked("${test.region}:${test.missing:order}:{id}")
        public String resolved(String id) {
            return CurrentLocks.leases().get(0).name();
        }

        @Locked("item:{ids}")
        public List<String> array(String[] ids) {
            return names();
        }

        @Locked("item:{numbers}")
        public List<String> numbers(int[] numbers) {
            return names();
        }

        private static List<String> names() {
            return CurrentLocks.leases().stream().map(Lease::name).toList();
        }

        @Locked(value = "a", waitFor = "forever")
        public String forever() {
            return "done";
        }

        @Locked(value = "a", waitFor = "forever")
        public CompletableFuture<String> futureForever() {
            return CompletableFuture.completedFuture("done");
        }

        @Locked(value = "a", waitFor = "forever")
        public Mono<String> monoForever() {
            return Mono.just("done");
        }

        @Locked(value = "a", waitFor = "50ms")
        public String shortly() {
            return "done";
        }

        @Locked("a")
        public String interruptibly() throws InterruptedException {
            return "done";
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public String orNull() {
            return "done";
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public CompletableFuture<Optional<String>> futureOrEmpty() {
            return CompletableFuture.completedFuture(Optional.of("done"));
        }
    }

    private TestLocks locks;
    private Shop shop;

    @BeforeEach
    void start() {
        locks = new TestLocks(Clients.class, Shop.class);
        shop = locks.bean(Shop.class);
    }

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    void options_reachTheClient() {
        assertThat(shop.label("1")).isEqualTo("order:1");
        LockOptions asked = locks.bean(WatchedClient.class).asked("lock").get(0).argument(LockOptions.class);

        assertThat(asked)
                .isEqualTo(locks.bean(LockClient.class)
                        .defaults()
                        .lease(Duration.ofSeconds(7))
                        .maxHold(Duration.ofMinutes(2))
                        .fairness(Fairness.FIFO)
                        .label("shipping"));
    }

    @Test
    void options_notSaid_areTheClients() {
        shop.plain("1");

        assertThat(locks.bean(WatchedClient.class).asked("lock").get(0).argument(LockOptions.class))
                .isEqualTo(locks.bean(LockClient.class).defaults());
    }

    @Test
    void placeholders_areResolved() {
        assertThat(shop.resolved("1")).isEqualTo("north:order:1");
        assertThat(locks.bean(LockGroups.class).groupOf("north:order:2")).isEqualTo("north:order:{id}");
    }

    @Test
    void array_locksEachName() {
        assertThat(shop.array(new String[] {"b", "a"})).containsExactly("item:a", "item:b");
        assertThat(shop.numbers(new int[] {2, 1})).containsExactly("item:1", "item:2");
        assertThatThrownBy(() -> shop.array(new String[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shop.array(new String[] {"a", null})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void forever_waitsUntilItIsFree() {
        CompletableFuture<String> value;
        CompletableFuture<String> future;
        CompletableFuture<String> mono;
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            value = TestLocks.begin(shop::forever);
            future = shop.futureForever();
            mono = shop.monoForever().toFuture();
            await().until(() -> waiting() == 3);
        }
        assertThat(value.join()).isEqualTo("done");
        assertThat(future.join()).isEqualTo("done");
        assertThat(mono.join()).isEqualTo("done");
    }

    private int waiting() {
        return locks.elsewhere()
                .inspector()
                .find(LockKind.LOCK, "a")
                .orElseThrow()
                .waiting();
    }

    @Test
    void busy_saysHowLongItWaited() {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            assertThatThrownBy(shop::shortly)
                    .isInstanceOfSatisfying(
                            LockBusyException.class,
                            busy -> assertThat(busy.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(50)));
        }
    }

    @Test
    void interrupted_declared_isThrownAsItIs() {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(shop::interruptibly).isInstanceOf(InterruptedException.class);
        }
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void skip_isNullOrAFutureOfNothing() {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            assertThat(shop.orNull()).isNull();
            assertThat(shop.futureOrEmpty().join()).isEmpty();
        }
        assertThat(shop.orNull()).isEqualTo("done");
        assertThat(shop.futureOrEmpty().join()).contains("done");
    }
}
