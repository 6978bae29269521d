package io.holdfast.jdbc.backend;

import java.util.concurrent.ThreadFactory;

/** Threads of our own: they keep no JVM alive, and a dump says whose they are. */
final class Threads {
    private Threads() {}

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
