package io.holdfast.testing.redis;

/** Threads that keep no JVM from ending. */
final class Threads {
    private Threads() {}

    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
