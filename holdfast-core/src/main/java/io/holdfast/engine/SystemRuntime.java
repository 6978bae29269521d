package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The machine's clocks and real threads. */
final class SystemRuntime implements EngineRuntime {
    private static final int WORKERS = 16;
    private static final int RENEWERS = 4;

    /** Users' code runs on so many threads at a time, and on more only while none of it comes to an end. */
    private static final int CALLBACKS = 64;

    private static final int MOST_CALLBACKS = 512;

    private static final long CLOSE_SECONDS = 2;
    private static final long RETRY_MILLIS = 100;

    private final String name;
    private final TimeSource time;
    private final ThreadFactory threads;
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService worker;

    /** Those of parts of the store that may fall silent one by one. */
    private final ConcurrentMap<String, ExecutorService> parts = new ConcurrentHashMap<>();

    private final ElasticPool renewals;
    private final ExecutorService callbacks;

    SystemRuntime(String name, TimeSource time) {
        this(name, time, Thread::new, true);
    }

    SystemRuntime(String name, ThreadFactory threads, boolean virtual) {
        this(name, TimeSource.system(), threads, virtual);
    }

    /**
     * The timer has its thread, and renewals one of theirs, from the beginning to the end: a process that gets no more
     * threads still keeps what it holds, and is told what it loses.
     *
     * @param threads makes every thread that is not virtual
     * @param virtual whether to use virtual ones where this Java has them
     */
    private SystemRuntime(String name, TimeSource time, ThreadFactory threads, boolean virtual) {
        this.name = name;
        this.time = time;
        this.threads = threads;
        timer = new ScheduledThreadPoolExecutor(1, daemons("timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        worker = pool("worker", WORKERS, WORKERS, virtual);
        renewals = new ElasticPool(1, RENEWERS, RENEWERS, daemons("watchdog"), timer);
        callbacks = pool("callback", CALLBACKS, MOST_CALLBACKS, virtual);
        try {
            timer.prestartAllCoreThreads();
            renewals.prestartAllCoreThreads();
        } catch (Throwable noThreads) {
            timer.shutdownNow();
            throw noThreads;
        }
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public Executor worker() {
        return task -> execute(worker, task);
    }

    @Override
    public Executor worker(String part) {
        if (part.isEmpty() || !(worker instanceof ElasticPool)) {
            return worker();
        }
        ExecutorService pool = parts.computeIfAbsent(
                part, made -> new ElasticPool(0, WORKERS, WORKERS, daemons("worker-" + part), timer));
        if (worker.isShutdown()) {
            pool.shutdown(); // it came too late to be closed with the others
        }
        return task -> execute(pool, task);
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
        worker.shutdown();
        List<ExecutorService> pools = new ArrayList<>(parts.values());
        pools.addAll(List.of(worker, renewals, callbacks));
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

    /**
     * As {@link ElasticPool#execute}, also for virtual threads: nothing to do after the end, and later without a
     * thread.
     */
    private void execute(ExecutorService pool, Runnable task) {
        if (pool instanceof ElasticPool) {
            pool.execute(task);
            return;
        }
        try {
            pool.execute(task);
        } catch (Throwable refused) {
            if (!pool.isShutdown()) {
                schedule(() -> execute(pool, task), TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
            }
        }
    }

    private ExecutorService pool(String role, int usual, int most, boolean mayBeVirtual) {
        ExecutorService virtual = mayBeVirtual ? virtualThreads(name + "-" + role + "-") : null;
        return virtual != null ? virtual : new ElasticPool(0, usual, most, daemons(role), timer);
    }

    private ThreadFactory daemons(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = threads.newThread(task);
            thread.setName(name + "-" + role + "-" + number.incrementAndGet());
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
            ExecutorService virtual = (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
            virtual.execute(
                    () -> {}); // the first one makes threads; a Java that gets none then has no virtual ones ever
            return virtual;
        } catch (ClassNotFoundException | NoSuchMethodException before21) {
            return null;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("this Java has virtual threads but does not let them be used", unexpected);
        }
    }
}
