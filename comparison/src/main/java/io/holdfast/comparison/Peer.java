package io.holdfast.comparison;

/**
 * A lock library, open in one JVM and connected to its store.
 *
 * <p>A section belongs to the thread that asked for it; sections of the same name exclude each other wherever they were
 * made. Every method that a library has nothing for throws {@link UnsupportedOperationException}, and
 * {@link Library#offers} says so before.
 */
interface Peer extends AutoCloseable {

    /** A mutex, used as the library's documentation shows for mutual exclusion with a lease that is renewed. */
    Section mutex(String name);

    /**
     * A hold of the same mutex by a thread that has it already. Equal to {@link #mutex} unless the library has another
     * type for that.
     */
    default Section reentrant(String name) {
        return mutex(name);
    }

    default Section readLock(String name) {
        throw new UnsupportedOperationException("no read-write lock");
    }

    default Section writeLock(String name) {
        throw new UnsupportedOperationException("no read-write lock");
    }

    /** One of several permits, which a dead holder does not keep for ever. */
    default Section permit(String name, int permits) {
        throw new UnsupportedOperationException("no semaphore");
    }

    @Override
    void close();

    /** Where one thread goes in and out. Waits as long as it takes. */
    interface Section {
        void enter() throws Exception;

        void exit() throws Exception;
    }
}
