package io.holdfast.benchmarks;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.Locked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How long 200 {@code Mono}s that wait for one lock keep the one thread that subscribes to them. A program of its own:
 * what counts is the slowest of them, of which there is one in each round.
 */
public final class WaitingMonos {
    private static final int MONOS = 200;
    private static final int ROUNDS = 25;
    private static final int WARM_UP = 5;
    private static final int NANOS_PER_MICRO = 1_000;

    private WaitingMonos() {}

    @Configuration(proxyBeanMethods = false)
    @EnableLocks(proxyTargetClass = true)
    static class Application {
        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }

        @Bean
        LockClient locks(MemoryStore store) {
            return MemoryLocks.connect(store);
        }

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    /** The bean. */
    static class Shop {
        @Locked(value = "stock", waitFor = "forever")
        public Mono<String> sell() {
            return Mono.just("sold");
        }
    }

    /**
     * Prints the time of each in the median, and of the slowest in each round.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws InterruptedException {
        Scheduler one = Schedulers.newSingle("one");
        List<Long> all = new ArrayList<>();
        List<Long> slowest = new ArrayList<>();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class);
                LockClient elsewhere = MemoryLocks.connect(context.getBean(MemoryStore.class));
                Lease held = elsewhere.lock("stock").acquire()) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Long> times = round(context.getBean(Shop.class), one);
                held.ensureValid(); // so all of them waited
                if (round >= WARM_UP) {
                    all.addAll(times);
                    slowest.add(Collections.max(times));
                }
            }
        } finally {
            one.dispose();
        }
        System.out.printf(
                "%d waiting Monos keep their thread for %d us each, the slowest for %d us (medians of %d rounds), never"
                        + " for more than %d us%n",
                MONOS, median(all), median(slowest), ROUNDS - WARM_UP, Collections.max(slowest) / NANOS_PER_MICRO);
    }

    private static List<Long> round(Shop shop, Scheduler one) throws InterruptedException {
        List<Long> times = new ArrayList<>();
        List<Disposable> waiting = new ArrayList<>();
        CountDownLatch subscribed = new CountDownLatch(MONOS);
        for (int i = 0; i < MONOS; i++) {
            one.schedule(() -> {
                long beganNanos = System.nanoTime();
                Disposable subscription = shop.sell().subscribe();
                times.add(System.nanoTime() - beganNanos);
                waiting.add(subscription);
                subscribed.countDown();
            });
        }
        subscribed.await();
        waiting.forEach(Disposable::dispose);
        return times;
    }

    private static long median(List<Long> nanos) {
        return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow() / NANOS_PER_MICRO;
    }
}
