package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

class LocksContextTest {

    /** Looking for a client may connect it; a monitor that is held meanwhile would pin virtual threads. */
    @Test
    void client_whileAnotherThreadLooksForIt_isNotHeldUp() {
        AtomicReference<LocksContext> context = new AtomicReference<>();
        try (LockClient client = MemoryLocks.create()) {
            context.set(new LocksContext(new StaticListableBeanFactory() {
                private final AtomicBoolean asked = new AtomicBoolean();

                @Override
                public <T> T getBean(Class<T> type) {
                    if (!asked.getAndSet(true)) {
                        LockClient other = CompletableFuture.supplyAsync(
                                        () -> context.get().client(""))
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join();
                        assertThat(other).isSameAs(client);
                    }
                    return type.cast(client);
                }
            }));

            assertThat(context.get().client("")).isSameAs(client);
        }
    }
}
