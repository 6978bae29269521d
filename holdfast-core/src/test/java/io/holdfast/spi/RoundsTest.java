package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final System.Logger LOG = System.getLogger("io.holdfast.test");

    private final BlockingQueue<Thread> rounds = new LinkedBlockingQueue<>();

    private Thread next() throws InterruptedException {
        Thread next = rounds.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("no round came").isNotNull();
        return next;
    }

    @Test
    void round_throws_theNextOneComesUntilItIsClosed() throws InterruptedException {
        Rounds failing = new Rounds("rounds", Duration.ofMillis(1), LOG, () -> {
            rounds.add(Thread.currentThread());
            throw new AssertionError("thrown by a test");
        });
        failing.start();
        next();
        Thread thread = next();

        failing.close();
        failing.close();

        thread.join(20_000);
        assertThat(thread.isAlive()).isFalse();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("rounds");
    }
}
