package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who holds a lock and who waits for it, as the store knew it a moment ago.
 *
 * @param kind what it is
 * @param name its name
 * @param capacity how much of it there is: one for a mutex, the permits of a semaphore, the arrivals of a latch
 * @param holders who holds it
 * @param waiters who waits, the next one first
 */
public record LockStatus(LockKind kind, String name, int capacity, List<Holder> holders, List<Waiter> waiters) {

    /**
     * A client, as it introduced itself to the store.
     *
     * @param id its {@link LockClient#id()}
     * @param host where it runs, empty if the store does not know
     * @param pid its process there, zero if the store does not know
     * @param name what its builder was told, or empty
     */
    public record Client(String id, String host, long pid, String name) {

        @Override
        public String toString() {
            String place = host.isEmpty() ? id : pid == 0 ? host : host + "/" + pid;
            return name.isEmpty() ? place : name + "@" + place;
        }
    }

    /**
     * Somebody who holds.
     *
     * @param client which client
     * @param claim the number of its claim
     * @param label the label of the lock's options, or the name of the thread; of another client, whose threads may have passed the lock on since, that
     *     of the one who asked the store
     * @param weight how much of the capacity
     * @param token the greatest token that its grant reserved
     * @param since since when, where the store knows
     * @param left until its lease ends if nobody renews it
     */
    public record Holder(
            Client client, long claim, String label, int weight, long token, Optional<Instant> since, Duration left) {}

    /**
     * Somebody who waits. Those who wait behind the claim of their own client are seen by that client only.
     *
     * @param client which client
     * @param claim the number of its claim; zero for one that waits behind the claim of its client and has none of its own
     * @param label the label of the lock's options, or the name of the thread
     * @param weight how much of the capacity it wants
     */
    public record Waiter(Client client, long claim, String label, int weight) {}
}
