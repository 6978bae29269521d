package io.holdfast.redis.servers;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Runs each task on a thread of its own, so that nobody's patience ends it; without a thread, on the caller's. */
final class OwnThreads implements Executor {
    private final ThreadFactory threads;

    OwnThreads(ThreadFactory threads) {
        this.threads = threads;
    }

    static OwnThreads named(String name) {
        return new OwnThreads(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.newThread(task).start();
        } catch (OutOfMemoryError noThread) {
            task.run();
        }
    }
}
