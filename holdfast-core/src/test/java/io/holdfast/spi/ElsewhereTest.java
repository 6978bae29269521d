package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ElsewhereTest {
    @Test
    void execute_threadsToBeHad_runsThere() {
        Thread here = Thread.currentThread();
        Executor elsewhere = new Elsewhere(task -> new Thread(task).start());
        assertThat(CompletableFuture.supplyAsync(Thread::currentThread, elsewhere)
                        .join())
                .isNotSameAs(here);
    }

    @Test
    void execute_noThreadToBeHad_runsHere() {
        AtomicInteger runs = new AtomicInteger();
        Executor elsewhere = new Elsewhere(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        elsewhere.execute(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
    }
}
