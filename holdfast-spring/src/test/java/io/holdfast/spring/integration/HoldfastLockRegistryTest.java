package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.messaging.Message;

/** Spring Integration on Holdfast, on a store that two clients share. */
class HoldfastLockRegistryTest {
    private final MemoryStore store = new MemoryStore();
    private final LockClient one = MemoryLocks.connect(store);
    private final LockClient two = MemoryLocks.connect(store);
    private final HoldfastLockRegistry here = new HoldfastLockRegistry(one, "orders:");
    private final HoldfastLockRegistry there = new HoldfastLockRegistry(two, "orders:");

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    @Test
    void lock_heldHere_notToBeHadThereUntilUnlocked() throws Exception {
        Lock lock = here.obtain("42");
        assertThat(lock).isInstanceOf(DistributedLock.class);
        lock.lock();
        assertThat(here.obtain("42").tryLock()).as("entered again").isTrue();
        lock.unlock();

        assertThat(there.obtain("42").tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(one.inspector().find(LockKind.LOCK, "orders:42")).isPresent();
        lock.unlock();

        assertThat(there.obtain("42").tryLock(10, TimeUnit.SECONDS)).isTrue();
        there.obtain("42").unlock();
        assertThat(here.executeLocked("42", () -> "done")).isEqualTo("done");
    }

    @Test
    void lock_optionsNotSaid_areTheClients() {
        LockClient quick = one.withDefaults(LockOptions.defaults().lease(Duration.ofSeconds(7)));
        Lock lock = new HoldfastLockRegistry(quick, "orders:").obtain("42");
        lock.lock();

        assertThat(two.inspector()
                        .find(LockKind.LOCK, "orders:42")
                        .orElseThrow()
                        .holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.left()).isLessThanOrEqualTo(Duration.ofSeconds(7)));
        lock.unlock();
    }

    @Test
    void lock_timeToLive_lostWhenItIsOver() throws Exception {
        DistributedLock lock = (DistributedLock) here.obtain("42");
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMillis(200))).isTrue();
        await().pollInSameThread().until(() -> there.obtain("42").tryLock());
        there.obtain("42").unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        lock.lock(Duration.ofMillis(200));
        await().pollInSameThread().until(() -> there.obtain("42").tryLock());
        there.obtain("42").unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void renewLock_held_lastsLonger() {
        here.obtain("42").lock();
        here.renewLock("42");
        here.renewLock("42", Duration.ofMinutes(5));
        here.expireUnusedOlderThan(0);

        assertThat(one.lock("orders:42").lease().remaining()).isGreaterThan(Duration.ofMinutes(4));
        assertThatThrownBy(() -> there.renewLock("42")).isInstanceOf(IllegalMonitorStateException.class);
        here.obtain("42").unlock();
    }

    /** Spring Integration 6.5 has no type for it. */
    @Test
    void lock_withoutTheTypeOfSeven_isPlain() {
        HoldfastLockRegistry plain = new HoldfastLockRegistry(one, "", LockOptions.defaults(), false);

        Lock lock = plain.obtain("a");

        assertThat(lock).isNotInstanceOf(DistributedLock.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    /** Hears of leadership. */
    private static final class Listening extends DefaultCandidate {
        private final List<String> told;

        Listening(String id, List<String> told) {
            super(id, "leader");
            this.told = told;
        }

        @Override
        public void onGranted(Context context) {
            told.add(getId() + " granted");
        }

        @Override
        public void onRevoked(Context context) {
            told.add(getId() + " revoked");
        }
    }

    private static LockRegistryLeaderInitiator initiator(HoldfastLockRegistry registry, String id, List<String> told) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, new Listening(id, told));
        initiator.setHeartBeatMillis(20);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    @Test
    void leaderInitiator_stops_theOtherOneLeads() {
        List<String> told = new CopyOnWriteArrayList<>();
        LockRegistryLeaderInitiator first = initiator(here, "one", told);
        LockRegistryLeaderInitiator second = initiator(there, "two", told);
        try {
            first.start();
            await().until(() -> told.contains("one granted"));
            second.start();
            assertThat(second.getContext().isLeader()).isFalse();

            first.stop();

            await().until(() -> told.contains("two granted") && told.contains("one revoked"));
            assertThat(second.getContext().isLeader()).isTrue();
        } finally {
            first.destroy();
            second.destroy();
        }
    }

    @Test
    void aggregator_twoProcesses_oneGroup() {
        try (AnnotationConfigApplicationContext integration =
                new AnnotationConfigApplicationContext(Integration.class)) {
            SimpleMessageStore messages = new SimpleMessageStore();
            QueueChannel out = new QueueChannel();

            aggregator(integration, here, messages, out).handleMessage(part(1));
            aggregator(integration, there, messages, out).handleMessage(part(2));

            Message<?> whole = out.receive(10_000);
            assertThat(whole).isNotNull();
            assertThat(whole.getPayload()).isEqualTo(List.of("part 1", "part 2"));
            assertThat(out.receive(0)).isNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Integration {}

    private static AggregatingMessageHandler aggregator(
            AnnotationConfigApplicationContext integration,
            HoldfastLockRegistry registry,
            SimpleMessageStore messages,
            QueueChannel out) {
        AggregatingMessageHandler handler =
                new AggregatingMessageHandler(new DefaultAggregatingMessageGroupProcessor(), messages);
        handler.setLockRegistry(registry);
        handler.setOutputChannel(out);
        handler.setBeanFactory(integration.getBeanFactory());
        handler.afterPropertiesSet();
        return handler;
    }

    private static Message<String> part(int number) {
        return MessageBuilder.withPayload("part " + number)
                .setCorrelationId("order")
                .setSequenceNumber(number)
                .setSequenceSize(2)
                .build();
    }
}
