package io.holdfast.testing.process;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a test has opened: closed in reverse order, each of it, whatever the others throw.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 */
public final class Opened implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /**
     * Remembers one thing more.
     *
     * @param <T> what it is
     * @param resource is closed with the others
     * @return the resource
     */
    public synchronized <T extends AutoCloseable> T open(T resource) {
        all.push(resource);
        return resource;
    }

    /**
     * Closes all of them.
     *
     * @throws Exception the first trouble, with the others as suppressed ones
     */
    @Override
    public synchronized void close() throws Exception {
        Exception first = null;
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (Exception failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
