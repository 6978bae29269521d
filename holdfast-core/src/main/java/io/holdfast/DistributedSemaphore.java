package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * A number of permits that processes share. Permits are leased: those of a crashed process come back by themselves.
 *
 * <p><b>Guarantees.</b> Never more permits are validly held than the semaphore has. The number belongs to the name: a
 * client that opens it with another number is refused while it is in use.
 *
 * <p><b>Not guaranteed.</b> A permit does not belong to a thread and does not re-enter.
 *
 * <p><b>Threads, interruption, failures.</b> As for {@link Acquirable}; {@link IllegalArgumentException} for more
 * permits than there are, or when others use this name with another number of permits.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * try (Lease two = locks.semaphore("exports", 3).acquire(2)) {
 *     export();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface DistributedSemaphore extends Acquirable<Lease> {

    /**
     * Returns the name of the semaphore.
     *
     * @return the name
     */
    String name();

    /**
     * Returns how many permits there are in all, held or not.
     *
     * @return the number of permits
     */
    int permits();

    /**
     * Returns the same semaphore, taken {@code permits} at a time, with every way of acquiring.
     *
     * @param permits how many to take together, between one and all
     * @return acquires that many as one lease
     */
    Acquirable<Lease> taking(int permits);

    /**
     * Waits for several permits together; short for {@code taking(permits).acquire()}.
     *
     * @param permits how many to take, between one and all
     * @return all of them as one lease
     */
    default Lease acquire(int permits) {
        return taking(permits).acquire();
    }

    /**
     * Tries once to take several permits together; short for {@code taking(permits).tryAcquire()}.
     *
     * @param permits how many to take, between one and all
     * @return all of them as one lease, or empty when there are not enough
     */
    default Optional<Lease> tryAcquire(int permits) {
        return taking(permits).tryAcquire();
    }

    /**
     * Waits at most {@code wait} for several permits together; short for {@code taking(permits).tryAcquire(wait)}.
     *
     * @param permits how many to take, between one and all
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @return all of them as one lease, or empty when the time is up
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is acquired then
     */
    default Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException {
        return taking(permits).tryAcquire(wait);
    }
}
