package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;

class NodeSubscriptionTest {
    private final List<String> threads = new ArrayList<>();

    /** Nobody waits any more, so what listens ends at once. */
    private static class Deaf implements NodeSubscription.Hearer {
        @Override
        public void heard(byte[] message, long receivedNanos) {}

        @Override
        public void missed() {}

        @Override
        public void doubtTopology() {}

        @Override
        public boolean isUsed() {
            return false;
        }
    }

    @Test
    void open_noThreadToBeHad_waiterIsNotTroubledAndTheNextOneTriesAgain() {
        ThreadFactory factory = task -> {
            threads.add("asked");
            if (threads.size() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        };
        NodeSubscription subscription = new NodeSubscription(
                new StubServer(),
                JedisDriver.create(DefaultJedisClientConfig.builder().build()),
                new Deaf(),
                factory,
                Timing.SYSTEM);
        subscription.open();
        subscription.open();
        assertThat(threads).hasSize(2);
        subscription.close();
    }

    /** Each try is a handshake, and while it lasts callers wait for it. */
    @Test
    void open_serverCannotBeReached_pausesLongerAfterEachTry() throws InterruptedException {
        List<Long> triedNanos = new CopyOnWriteArrayList<>();
        Deaf patient = new Deaf() {
            @Override
            public boolean isUsed() {
                triedNanos.add(Timing.SYSTEM.nanos());
                return triedNanos.size() < 5;
            }
        };
        List<Thread> made = new CopyOnWriteArrayList<>();
        NodeSubscription subscription = new NodeSubscription(
                new StubServer(),
                JedisDriver.create(DefaultJedisClientConfig.builder().build()),
                patient,
                task -> {
                    made.add(new Thread(task));
                    return made.get(0);
                },
                Timing.SYSTEM);
        subscription.open();
        made.get(0).join();
        assertThat(triedNanos).hasSize(5);
        assertThat(triedNanos.get(4) - triedNanos.get(0))
                .as("50, 100, 200 and 400 ms, some of which a thread may wake up early")
                .isGreaterThan(Duration.ofMillis(400).toNanos());
    }
}
