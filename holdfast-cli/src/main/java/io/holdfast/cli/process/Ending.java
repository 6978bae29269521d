package io.holdfast.cli.process;

import java.util.concurrent.CountDownLatch;

/**
 * What to know when somebody presses Ctrl-C: the process is ending, and everything that fails now fails because of
 * that.
 */
public final class Ending {
    private Ending() {}

    /** Returns if the process goes on. If it is ending, says nothing more and waits for that. */
    public static void stayQuietIfEnding() {
        if (hasBegun()) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the process is ending. */
    public static boolean hasBegun() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
        } catch (IllegalStateException begun) {
            return true;
        }
        forget(probe);
        return false;
    }

    /** Takes back a hook, unless the process is ending. */
    public static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException begun) {
            // Too late, and it does no harm a second time.
        }
    }
}
