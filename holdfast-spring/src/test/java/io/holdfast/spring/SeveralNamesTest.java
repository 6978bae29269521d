package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** Several names of the kinds that no {@code allOf} takes at once: in one order, all or none, within one wait. */
class SeveralNamesTest {

    static class Clients {
        @Bean
        WatchedClient watch() {
            return new WatchedClient(SeveralNamesTest::passSomeTime);
        }

        @Bean(autowireCandidate = false)
        LockClient watched(WatchedClient watch, LockClient locks) {
            return watch.watch(locks);
        }
    }

    /** At least a millisecond, so that less is left of a wait. */
    private static void passSomeTime() {
        long start = TimeSource.system().nanoTime();
        while (TimeSource.system().nanoTime() - start < 1_000_000) {
            Thread.onSpinWait();
        }
    }

    static class Shop {
        @Locked(value = "doc:{names}", kind = Locked.Kind.READ, client = "watched")
        public List<String> read(List<String> names) {
            return held();
        }

        @Locked(value = "doc:{names}", kind = Locked.Kind.WRITE, client = "watched")
        public Mono<List<String>> write(List<String> names) {
            return CurrentLocks.mono()
                    .map(held -> held.leases().stream().map(Lease::name).toList());
        }

        @Locked(value = "doc:{names}", kind = Locked.Kind.PERMIT, permits = 2, client = "watched")
        public List<String> permit(List<String> names) {
            return held();
        }

        @Locked(value = "doc:{names}", kind = Locked.Kind.READ, waitFor = "0")
        public List<String> readOnce(List<String> names) {
            return held();
        }

        @Locked(value = "doc:{names}", kind = Locked.Kind.WRITE, waitFor = "0")
        public Mono<List<String>> writeOnce(List<String> names) {
            return Mono.just(names);
        }

        @Locked(value = "doc:{names}", kind = Locked.Kind.PERMIT, waitFor = "0")
        public List<String> permitOnce(List<String> names) {
            return held();
        }

        private static List<String> held() {
            return CurrentLocks.leases().stream().map(Lease::name).toList();
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
        await().until(() -> !locks.isUsed(LockKind.READ_WRITE, "doc:a") && !locks.isUsed(LockKind.SEMAPHORE, "doc:a"));
        locks.close();
    }

    private List<Duration> waits(String method) {
        return locks.bean(WatchedClient.class).asked(method).stream()
                .map(asked -> asked.argument(Duration.class))
                .toList();
    }

    private List<String> askedFor(String method) {
        return locks.bean(WatchedClient.class).asked(method).stream()
                .map(asked -> asked.argument(String.class))
                .toList();
    }

    @Test
    void names_areAskedForInOneOrder_withinOneWait() {
        assertThat(shop.read(List.of("b", "a"))).containsExactly("doc:a", "doc:b");
        assertThat(askedFor("readWriteLock")).containsExactly("doc:a", "doc:b");
        oneWait("tryAcquire");
        assertThat(shop.permit(List.of("c", "b"))).containsExactly("doc:b", "doc:c");
        assertThat(askedFor("semaphore")).containsExactly("doc:b", "doc:c");
    }

    @Test
    void names_withoutAThread_areAskedForInOneOrder_withinOneWait() {
        assertThat(shop.write(List.of("b", "a")).block()).containsExactly("doc:a", "doc:b");
        assertThat(askedFor("readWriteLock")).containsExactly("doc:a", "doc:b");
        oneWait("tryAcquireAsync");
    }

    /** What the second may wait is what the first left. */
    private void oneWait(String method) {
        assertThat(waits(method)).hasSize(2);
        assertThat(waits(method).get(1)).isLessThan(waits(method).get(0));
    }

    @Test
    void oneIsBusy_noneIsHeld() {
        try (Lease other = locks.elsewhere().readWriteLock("doc:b").writeLock().acquire()) {
            noneIsHeld(() -> shop.readOnce(List.of("b", "a")), LockKind.READ_WRITE);
            noneIsHeld(() -> shop.writeOnce(List.of("b", "a")).block(), LockKind.READ_WRITE);
        }
        try (Lease other = locks.elsewhere().semaphore("doc:b", 1).acquire()) {
            noneIsHeld(() -> shop.permitOnce(List.of("b", "a")), LockKind.SEMAPHORE);
        }
    }

    private void noneIsHeld(Supplier<?> call, LockKind kind) {
        assertThatThrownBy(call::get)
                .isInstanceOfSatisfying(
                        LockBusyException.class,
                        busy -> assertThat(busy.names()).containsExactlyInAnyOrder("doc:a", "doc:b"));
        await().untilAsserted(() -> assertThat(locks.isUsed(kind, "doc:a")).isFalse());
    }
}
