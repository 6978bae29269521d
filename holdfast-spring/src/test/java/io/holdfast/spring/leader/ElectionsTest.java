package io.holdfast.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

class ElectionsTest {

    /** Looking for a client may connect it; a monitor that is held meanwhile would pin virtual threads. */
    @Test
    void of_whileAnotherThreadMakesIt_isNotHeldUpAndStandsOnce() {
        AtomicReference<Elections> elections = new AtomicReference<>();
        AtomicReference<Election> others = new AtomicReference<>();
        try (LockClient client = MemoryLocks.create()) {
            StaticListableBeanFactory beans = new StaticListableBeanFactory() {
                private final AtomicBoolean asked = new AtomicBoolean();

                @Override
                public <T> T getBean(Class<T> type) {
                    if (!asked.getAndSet(true)) {
                        others.set(CompletableFuture.supplyAsync(
                                        () -> elections.get().of("billing", ""))
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join());
                    }
                    return type.cast(client);
                }
            };
            elections.set(new Elections(beans, beans.getBeanProvider(Election.class), event -> {}));
            elections.get().start();

            Election mine = elections.get().of("billing", "");

            assertThat(mine).isSameAs(others.get()).matches(Election::isRunning);
            elections.get().stop();
            assertThat(mine.isRunning()).isFalse();
        }
    }
}
