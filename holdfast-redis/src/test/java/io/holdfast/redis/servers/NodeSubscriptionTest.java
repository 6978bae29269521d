package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.redis.settings.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;

class NodeSubscriptionTest {
    private final List<String> threads = new ArrayList<>();

    /** Nobody waits any more, so what listens ends at once. */
    private static final class Deaf implements NodeSubscription.Hearer {
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
}
