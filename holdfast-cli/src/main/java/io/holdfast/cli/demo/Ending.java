package io.holdfast.cli.demo;

import java.util.concurrent.CountDownLatch;

/** What to know when somebody presses Ctrl-C: the process is ending, and everything that fails now fails because of that. */
final class Ending {
    private Ending() {}

    /** Returns if the process goes on. If it is ending, says nothing more and waits for that. */
    static void stayQuietIfEnding() {
        if (hasBegun()) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean hasBegun() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
        } catch (IllegalStateException begun) {
            return true;
        }
        forget(probe);
        return false;
    }

    static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException begun) {
            // Too late, and it does no harm a second time.
        }
    }
}
