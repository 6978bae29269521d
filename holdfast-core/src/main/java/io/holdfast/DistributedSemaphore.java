package io.holdfast;

/**
 * A number of permits that processes share. Permits are leased: those of a crashed process come back by themselves.
 *
 * <p><b>Guarantees.</b> Never more permits are validly held than the semaphore has. The number belongs to the name: whoever
 * opens it with another number is refused while it is in use.
 *
 * <p><b>Not guaranteed.</b> A permit does not belong to a thread and does not re-enter.
 *
 * <p><b>Threads, interruption, failures.</b> As for {@link Acquirable}; {@link IllegalArgumentException} for more permits than
 * there are, or when others use this name with another number of permits.
 *
 * <pre>{@code
 * try (Lease two = locks.semaphore("exports", 3).acquire(2)) {
 *     export();
 * }
 * }</pre>
 */
public interface DistributedSemaphore extends Acquirable<Lease> {

    /**
     * Returns the name of the semaphore.
     *
     * @return the name
     */
    String name();

    /**
     * Returns how many permits there are in all.
     *
     * @return the number of permits
     */
    int permits();

    /**
     * Returns the same semaphore, taken {@code permits} at a time, with every way of acquiring.
     *
     * @param permits how many to take, between one and all
     * @return to acquire that many together
     */
    Acquirable<Lease> permits(int permits);

    /**
     * Waits for {@code permits} permits together; short for {@code permits(permits).acquire()}.
     *
     * @param permits how many to take, between one and all
     * @return all of them as one lease
     */
    default Lease acquire(int permits) {
        return permits(permits).acquire();
    }
}
