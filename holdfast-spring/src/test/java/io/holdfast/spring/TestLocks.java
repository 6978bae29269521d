package io.holdfast.spring;

import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.engine.LockEngine;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.testing.FaultScript;
import io.holdfast.testing.Faults;
import io.holdfast.testing.FaultyBackend;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** A context with locks in memory, and somebody else on the same store. */
final class TestLocks implements AutoCloseable {
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final LockClient elsewhere;

    TestLocks(Class<?>... classes) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("test.region", "north")));
        context.register(Base.class);
        context.register(classes);
        try {
            context.refresh();
        } catch (RuntimeException failure) {
            context.close();
            throw failure;
        }
        elsewhere = MemoryLocks.connect(context.getBean(MemoryStore.class));
    }

    /** What every context has. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocks(proxyTargetClass = true)
    static class Base {
        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }

        @Bean
        LockClient locks(MemoryStore store, ObjectProvider<Faults> faults) {
            Faults wrong = faults.getIfAvailable(Faults::none);
            FaultyBackend backend = new FaultyBackend(store.connect(), wrong, (task, delay) -> {
                throw new UnsupportedOperationException("nothing comes late here");
            });
            return LockEngine.start(backend, LockOptions.defaults().lease(Duration.ofSeconds(3)));
        }
    }

    /** The way to the store can be broken: {@code bean(FaultScript.class)}. */
    static class Breakable {
        @Bean
        FaultScript faults() {
            return new FaultScript();
        }
    }

    /** What the start of a context with these classes failed with. */
    static InvalidLockedException refused(Class<?>... classes) {
        try (TestLocks locks = new TestLocks(classes)) {
            throw new AssertionError("it started");
        } catch (RuntimeException failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof InvalidLockedException invalid) {
                    return invalid;
                }
            }
            throw failure;
        }
    }

    /** Begins work on a thread of its own: one of a pool may be helped by who waits for it. */
    static <T> CompletableFuture<T> begin(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
    }

    /** Does work on a thread of its own. */
    static <T> T elsewhere(Supplier<T> work) {
        return begin(work).join();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    AnnotationConfigApplicationContext context() {
        return context;
    }

    LockClient elsewhere() {
        return elsewhere;
    }

    boolean isFree(String name) {
        return elsewhere
                .lock(name)
                .tryAcquire()
                .map(lease -> {
                    lease.close();
                    return true;
                })
                .orElse(false);
    }

    boolean isUsed(LockKind kind, String name) {
        return elsewhere
                .inspector()
                .find(kind, name)
                .filter(status ->
                        !status.holders().isEmpty() || !status.waiters().isEmpty())
                .isPresent();
    }

    /** Takes a lock away from whoever has it, and waits until that one knows. */
    void lose(String name) {
        LockInspector inspector = elsewhere.inspector();
        LockStatus status = inspector.find(LockKind.LOCK, name).orElseThrow();
        inspector.breakClaim(status, status.holders().get(0));
    }

    @Override
    public void close() {
        elsewhere.close();
        context.close();
    }
}
