package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Lease;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import io.holdfast.testing.FaultScript;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** A store that is down or refuses is neither busy nor silent, whatever the method returns and says of busy locks. */
class StoreTroubleTest {

    /** What a method returns, and what it says of busy locks. */
    enum Way {
        VALUE_THROW,
        VALUE_SKIP,
        VALUE_FALLBACK,
        FUTURE_THROW,
        FUTURE_SKIP,
        FUTURE_FALLBACK,
        MONO_THROW,
        MONO_SKIP,
        MONO_FALLBACK;

        String call(Shop shop) {
            return switch (this) {
                case VALUE_THROW -> shop.value();
                case VALUE_SKIP -> shop.valueOrNothing();
                case VALUE_FALLBACK -> shop.valueOrLater();
                case FUTURE_THROW -> shop.future().join();
                case FUTURE_SKIP -> shop.futureOrNothing().join();
                case FUTURE_FALLBACK -> shop.futureOrLater().join();
                case MONO_THROW -> shop.mono().block();
                case MONO_SKIP -> shop.monoOrNothing().block();
                case MONO_FALLBACK -> shop.monoOrLater().block();
            };
        }
    }

    static class Shop {
        private final AtomicInteger runs = new AtomicInteger();

        AtomicInteger runs() {
            return runs;
        }

        private String run() {
            runs.incrementAndGet();
            return "done";
        }

        String later() {
            return "later, after " + runs.incrementAndGet();
        }

        CompletableFuture<String> futureLater() {
            return CompletableFuture.completedFuture(later());
        }

        Mono<String> monoLater() {
            return Mono.fromSupplier(this::later);
        }

        @Locked(value = "a", waitFor = "0")
        public String value() {
            return run();
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public String valueOrNothing() {
            return run();
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        public String valueOrLater() {
            return run();
        }

        @Locked(value = "a", waitFor = "0")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture(run());
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public CompletableFuture<String> futureOrNothing() {
            return CompletableFuture.completedFuture(run());
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.FALLBACK, fallback = "futureLater")
        public CompletableFuture<String> futureOrLater() {
            return CompletableFuture.completedFuture(run());
        }

        @Locked(value = "a", waitFor = "0")
        public Mono<String> mono() {
            return Mono.fromSupplier(this::run);
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public Mono<String> monoOrNothing() {
            return Mono.fromSupplier(this::run);
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.FALLBACK, fallback = "monoLater")
        public Mono<String> monoOrLater() {
            return Mono.fromSupplier(this::run);
        }
    }

    private TestLocks locks;
    private Shop shop;
    private FaultScript faults;

    @BeforeEach
    void start() {
        locks = new TestLocks(TestLocks.Breakable.class, Shop.class);
        shop = locks.bean(Shop.class);
        faults = locks.bean(FaultScript.class);
    }

    @AfterEach
    void stop() {
        faults.clear();
        locks.close();
    }

    private Throwable thrown(Way way) {
        Throwable thrown = catchThrowable(() -> way.call(shop));
        return thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown;
    }

    @ParameterizedTest
    @EnumSource
    void down_isALockStoreException_andNothingIsRun(Way way) {
        faults.always(Call.Attempt.class, new Fault.Down());

        assertThat(thrown(way)).isExactlyInstanceOf(LockStoreException.class);
        assertThat(shop.runs()).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void guard_isALockRefusedException_andNothingIsRun(Way way) {
        faults.always(Call.Attempt.class, new Fault.Refusal("it may have forgotten", Duration.ofMinutes(1)));

        assertThat(thrown(way)).isExactlyInstanceOf(LockRefusedException.class);
        assertThat(shop.runs()).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void busy_isWhatTheMethodSays(Way way) {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            if (way.name().endsWith("THROW")) {
                assertThat(thrown(way)).isExactlyInstanceOf(LockBusyException.class);
            } else {
                assertThat(way.call(shop)).isEqualTo(way.name().endsWith("SKIP") ? null : "later, after 1");
            }
        }
    }
}
