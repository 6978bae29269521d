package io.holdfast.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockStatus;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** Two applications on one store: who leads works, and who leaves says so first. */
class LeaderOnlyTest {

    /** One for each task: those of a pool may all be busy. */
    private static final Executor THREADS = task -> new Thread(task).start();

    /** What the test's applications share. */
    private final MemoryStore store = new MemoryStore();

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<AnnotationConfigApplicationContext> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(AnnotationConfigApplicationContext::close);
    }

    /** Work of all shapes. Its fields are not those of its proxy. */
    static class Billing {
        private final AtomicInteger bills = new AtomicInteger();
        private final CountDownLatch inside = new CountDownLatch(1);
        private final AtomicReference<CountDownLatch> goOn = new AtomicReference<>(new CountDownLatch(0));

        CountDownLatch inside() {
            return inside;
        }

        AtomicReference<CountDownLatch> goOn() {
            return goOn;
        }

        @LeaderOnly("${election}")
        public String send() throws InterruptedException {
            inside.countDown();
            assertThat(goOn.get().await(20, TimeUnit.SECONDS)).isTrue();
            return "bill " + bills.incrementAndGet();
        }

        @LeaderOnly("billing")
        public void fail() {
            throw new IllegalArgumentException("no money");
        }

        @LeaderOnly("billing")
        public Optional<String> maybe() {
            return Optional.of("bill");
        }

        @LeaderOnly("billing")
        public CompletionStage<String> future() {
            return CompletableFuture.completedFuture("bill");
        }
    }

    static class Refused {
        @LeaderOnly("billing")
        public int count() {
            return 1;
        }
    }

    static class Clockwork {
        private final AtomicInteger ticks = new AtomicInteger();

        int ticks() {
            return ticks.get();
        }

        @Scheduled(fixedDelay = 10)
        @LeaderOnly("billing")
        public void tick() {
            ticks.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLeaders
    static class Application {
        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithElection {
        @Bean
        Election billingElection(LockClient locks) {
            return new Election(locks, "billing");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {
        private final AtomicInteger seen = new AtomicInteger();

        /** That the clock of this application goes. */
        @Scheduled(fixedDelay = 10)
        void see() {
            seen.incrementAndGet();
        }

        @Bean
        Clockwork clockwork() {
            return new Clockwork();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithRefused {
        @Bean
        Refused refused() {
            return new Refused();
        }
    }

    static class Publishing {
        @LeaderOnly("billing")
        public Mono<String> mono() {
            return Mono.just("bill");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithPublishing {
        @Bean
        Publishing publishing() {
            return new Publishing();
        }
    }

    /** Hears of this application's terms. */
    record Ear(String who, List<String> told) {
        @EventListener
        void granted(LeaderGranted event) {
            told.add(who + " granted " + event.election());
        }

        @EventListener
        void revoked(LeaderRevoked event) {
            told.add(who + " revoked " + event.election());
        }
    }

    private AnnotationConfigApplicationContext application(String who, Class<?>... more) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        System.setProperty("election", "billing");
        context.register(Application.class);
        if (more.length > 0) {
            context.register(more);
        }
        context.registerBean(LockClient.class, () -> MemoryLocks.connect(store));
        context.registerBean(Ear.class, () -> new Ear(who, told));
        opened.add(context);
        context.refresh();
        return context;
    }

    /** A call on its way: returns when it is inside, where it stays until it may go on. */
    private static CompletableFuture<String> sending(Billing working) throws InterruptedException {
        working.goOn().set(new CountDownLatch(1));
        CompletableFuture<String> call = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return working.send();
                    } catch (InterruptedException interrupted) {
                        throw new AssertionError(interrupted);
                    }
                },
                THREADS);
        assertThat(working.inside().await(20, TimeUnit.SECONDS)).isTrue();
        return call;
    }

    private void awaitTold(String what) {
        await().until(() -> told.contains(what));
    }

    private static Billing billing(AnnotationConfigApplicationContext context) {
        return context.getBean(Billing.class);
    }

    @Test
    void call_oneOfTwo_runsWhereItLeads() throws Exception {
        AnnotationConfigApplicationContext one = application("one");
        awaitTold("one granted billing");
        AnnotationConfigApplicationContext two = application("two");

        assertThat(billing(one).send()).isEqualTo("bill 1");
        assertThat(billing(two).send()).isNull();
        assertThat(billing(two).maybe()).isEmpty();
        assertThat(billing(two).future().toCompletableFuture().join()).isNull();
        assertThat(billing(one).maybe()).contains("bill");
        assertThat(billing(one).future().toCompletableFuture().join()).isEqualTo("bill");
        assertThatThrownBy(() -> billing(one).fail()).hasMessage("no money");
        billing(two).fail();
    }

    @Test
    void stop_theLeader_revokedBeforeTheNextIsGranted() throws Exception {
        AnnotationConfigApplicationContext one = application("one");
        awaitTold("one granted billing");
        AnnotationConfigApplicationContext two = application("two");

        one.close();
        await().until(() -> told.size() == 3);

        assertThat(told).containsExactly("one granted billing", "one revoked billing", "two granted billing");
        assertThat(billing(two).send()).isEqualTo("bill 1");
    }

    @Test
    void stop_whileACallRuns_leadsUntilItHasEnded() throws Exception {
        AnnotationConfigApplicationContext one = application("one");
        awaitTold("one granted billing");
        AnnotationConfigApplicationContext two = application("two");
        Billing working = billing(one);
        CompletableFuture<String> call = sending(working);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(one::close, THREADS);
        await().until(() -> one.getBean(Elections.class).of("billing", "").enter() == null);

        assertThat(told).containsExactly("one granted billing");
        assertThat(billing(two).send()).isNull();
        working.goOn().get().countDown();
        assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo("bill 1");
        closing.get(20, TimeUnit.SECONDS);
        awaitTold("two granted billing");
        assertThat(told.indexOf("one revoked billing")).isEqualTo(1);
    }

    /** As a context does that was stopped, did not get the time that a call took, and starts again. */
    @Test
    void start_whileAStopWaitsForACall_leadsOn() throws Exception {
        AnnotationConfigApplicationContext one = application("one", WithElection.class);
        awaitTold("one granted billing");
        Billing working = billing(one);
        CompletableFuture<String> call = sending(working);
        Election election = one.getBean(Election.class);
        CountDownLatch stopped = new CountDownLatch(1);
        election.stop(stopped::countDown);
        assertThat(stopped.getCount()).as("the call runs").isOne();

        election.start();
        assertThat(stopped.getCount()).isZero();
        working.goOn().get().countDown();

        assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo("bill 1");
        assertThat(election.isLeader()).isTrue();
        assertThat(working.send()).isEqualTo("bill 2");
        assertThat(told).containsExactly("one granted billing");
    }

    @Test
    void loss_whileACallRuns_callerIsToldAndLeadershipRevoked() throws Exception {
        AnnotationConfigApplicationContext one = application("one");
        awaitTold("one granted billing");
        Billing working = billing(one);
        CompletableFuture<String> call = sending(working);

        try (LockClient operator = MemoryLocks.connect(store)) {
            LockStatus held =
                    operator.inspector().find(LockKind.ELECTION, "billing").orElseThrow();
            assertThat(operator.inspector().breakClaim(held, held.holders().get(0)))
                    .isTrue();
        }
        awaitTold("one revoked billing");
        working.goOn().get().countDown();

        assertThat(call)
                .failsWithin(java.time.Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockLostException.class);
        await().until(() -> told.size() == 3);
        assertThat(told).endsWith("one revoked billing", "one granted billing");
    }

    @Test
    void election_bean_isTheOneThatMethodsUse() throws Exception {
        AnnotationConfigApplicationContext one = application("one", WithElection.class);
        awaitTold("one granted billing");
        Election election = one.getBean(Election.class);

        assertThat(election.isLeader()).isTrue();
        long first = election.term().map(Lease::token).orElseThrow();
        assertThat(billing(one).send()).isEqualTo("bill 1");
        assertThat(one.getBean(Elections.class).of("billing", "")).isSameAs(election);
        assertThat(election.getPhase()).isEqualTo(Integer.MAX_VALUE);
        election.stop();
        assertThat(billing(one).send()).isNull();
        awaitTold("one revoked billing");
        told.clear();
        election.start();
        awaitTold("one granted billing");
        assertThat(election.term().orElseThrow().token()).isGreaterThan(first);
    }

    @Test
    void scheduled_method_ticksWhereItLeads() {
        AnnotationConfigApplicationContext one = application("one", Scheduling.class);
        await().until(() -> one.getBean(Clockwork.class).ticks() > 2);
        AnnotationConfigApplicationContext two = application("two", Scheduling.class);

        Scheduling clocks = two.getBean(Scheduling.class);
        await().until(() -> clocks.seen.get() > 2);

        assertThat(two.getBean(Clockwork.class).ticks()).isZero();
    }

    @Test
    void start_primitiveResult_fails() {
        assertThatThrownBy(() -> application("one", WithRefused.class))
                .rootCause()
                .hasMessageContaining("@LeaderOnly")
                .hasMessageContaining("count()")
                .hasMessageContaining("int");
    }

    @Test
    void start_publisher_fails() {
        assertThatThrownBy(() -> application("one", WithPublishing.class))
                .rootCause()
                .hasMessageContaining("@LeaderOnly")
                .hasMessageContaining("mono()")
                .hasMessageContaining("no longer leads");
    }
}
