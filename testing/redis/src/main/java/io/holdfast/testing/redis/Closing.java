package io.holdfast.testing.redis;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Closes several things; the first failure is thrown once all have had their turn. */
final class Closing {
    private Closing() {}

    static void all(Collection<? extends AutoCloseable> things) {
        RuntimeException failure = null;
        for (AutoCloseable thing : things) {
            try {
                thing.close();
            } catch (Exception e) {
                failure = add(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** For what has nothing left to lose. */
    static void quietly(Closeable thing) {
        try {
            thing.close();
        } catch (IOException ignored) {
            // It is gone all the same.
        }
    }

    private static RuntimeException add(@Nullable RuntimeException failure, Exception e) {
        if (failure == null) {
            return new IllegalStateException("Could not close everything", e);
        }
        failure.addSuppressed(e);
        return failure;
    }
}
