package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A thread that does one thing. The test that started it asks for the result, and gets its failure if it failed. */
final class Actor<T> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FutureTask<T> task;
    private final Thread thread;

    private Actor(String name, Callable<T> work) {
        this.task = new FutureTask<>(work);
        this.thread = new Thread(task, name);
        this.thread.setDaemon(true);
    }

    static <T> Actor<T> does(String name, Callable<T> work) {
        Actor<T> actor = new Actor<>(name, work);
        actor.thread.start();
        return actor;
    }

    Thread thread() {
        return thread;
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isDone() {
        return task.isDone();
    }

    /** Waits until the thread sleeps at a gate of the engine. */
    Actor<T> awaitParked() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(PATIENCE)
                .until(() -> task.isDone()
                        || (LockSupport.getBlocker(thread) instanceof Gate
                                && thread.getState() == Thread.State.TIMED_WAITING));
        assertThat(task.isDone()).as("%s did not wait", thread.getName()).isFalse();
        return this;
    }

    /** What the thread came back with. */
    T result() throws ExecutionException, InterruptedException, TimeoutException {
        return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** What the thread failed with. */
    Throwable failure() throws InterruptedException, TimeoutException {
        try {
            T result = result();
            throw new AssertionError(thread.getName() + " did not fail, it returned " + result);
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }

    /** Waits for the thread to be gone. */
    void awaitDeath() throws InterruptedException {
        thread.join(PATIENCE.toMillis());
        assertThat(thread.isAlive()).as("%s lives", thread.getName()).isFalse();
    }
}
