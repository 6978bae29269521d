package io.holdfast.quorum;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers that are on their way from members. Closing receives all of them, whatever else has failed: a request whose
 * answer is never received blocks its connection for all others.
 */
final class Answers implements AutoCloseable {
    private final List<Runnable> takes = new ArrayList<>();

    /** @param take waits for one answer and acts on it */
    void add(Runnable take) {
        takes.add(take);
    }

    @Override
    public void close() {
        @Nullable Throwable first = null;
        for (Runnable take : takes) {
            try {
                take.run();
            } catch (RuntimeException | Error failure) {
                if (first == null) {
                    first = failure;
                } else if (first != failure) {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException failure) {
            throw failure;
        }
    }
}
