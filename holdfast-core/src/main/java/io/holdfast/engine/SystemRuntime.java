package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The machine's clocks and real threads. */
final class SystemRuntime implements EngineRuntime {
    private static final int WORKERS = 16;
    private static final int RENEWERS = 4;
    private static final long IDLE_SECONDS = 10;
    private static final long CLOSE_SECONDS = 2;

    private final String name;
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService worker;
    private final ExecutorService renewals;
    private final ExecutorService callbacks;

    SystemRuntime(String name) {
        this.name = name;
        timer = new ScheduledThreadPoolExecutor(1, daemons("timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        worker = threads("worker", WORKERS);
        renewals = threads("watchdog", RENEWERS);
        callbacks = threads("callback", Integer.MAX_VALUE);
    }

    @Override
    public TimeSource time() {
        return TimeSource.system();
    }

    @Override
    public Executor worker() {
        return task -> execute(worker, task);
    }

    @Override
    public Executor renewals() {
        return task -> execute(renewals, task);
    }

    @Override
    public Executor callbacks() {
        return task -> execute(callbacks, task);
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        try {
            Future<?> future = timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    @Override
    public long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    @Override
    public void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        List<ExecutorService> pools = List.of(worker, renewals, callbacks);
        pools.forEach(ExecutorService::shutdown);
        boolean calledFromInside = Thread.currentThread().getName().startsWith(name);
        boolean interrupted = false;
        for (ExecutorService pool : pools) {
            try {
                if (!calledFromInside && !pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    pool.shutdownNow();
                }
            } catch (InterruptedException restored) {
                interrupted = true;
                pool.shutdownNow();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** After the end there is nothing left to do, and nobody to tell. */
    private static void execute(ExecutorService pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException closed) {
            if (!pool.isShutdown()) {
                throw closed;
            }
        }
    }

    private ExecutorService threads(String role, int most) {
        ExecutorService virtual = virtualThreads(name + "-" + role + "-");
        if (virtual != null) {
            return virtual;
        }
        boolean unbounded = most == Integer.MAX_VALUE;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                unbounded ? 0 : most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                unbounded ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(),
                daemons(role));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private ThreadFactory daemons(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + role + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** A virtual thread per task, on a Java that has them; this library is compiled for one that has not. */
    private static @Nullable ExecutorService virtualThreads(String prefix) {
        try {
            Class<?> builderType = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            builder = builderType.getMethod("name", String.class, long.class).invoke(builder, prefix, 1L);
            ThreadFactory factory =
                    (ThreadFactory) builderType.getMethod("factory").invoke(builder);
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
        } catch (ClassNotFoundException | NoSuchMethodException before21) {
            return null;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("this Java has virtual threads but does not let them be used", unexpected);
        }
    }
}
