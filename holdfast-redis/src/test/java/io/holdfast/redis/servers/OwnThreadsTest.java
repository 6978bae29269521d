package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OwnThreadsTest {
    private final CompletableFuture<Thread> ran = new CompletableFuture<>();

    @Test
    void execute_anotherThreadRunsIt() throws Exception {
        OwnThreads.named("aside").execute(() -> ran.complete(Thread.currentThread()));
        assertThat(ran.get(50, TimeUnit.SECONDS).getName()).isEqualTo("aside");
    }

    /** Rule: without a thread for it, whoever needs a handshake makes it. */
    @Test
    void execute_noThread_runsInThisOne() {
        OwnThreads none = new OwnThreads(task -> {
            throw new OutOfMemoryError("a test says so");
        });
        none.execute(() -> ran.complete(Thread.currentThread()));
        assertThat(ran).isCompletedWithValue(Thread.currentThread());
    }
}
