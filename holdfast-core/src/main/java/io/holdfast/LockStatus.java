package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who holds a lock and who waits for it, as the store knew it a moment ago.
 *
 * <p>Threads of one client pass a lock on among themselves and are one claim in the store. Their own client shows each of them. What others see of them is what their
 * client told the store, 2 s ago at most while the store answers: which of them has the lock, of how many, and one entry for all who wait behind it.
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
     * @param label the label of the lock's options, or the name of the thread; of another client, followed by "one of N threads" while others wait there
     *     that may have it by now
     * @param weight how much of the capacity
     * @param token the greatest token that its grant reserved
     * @param since since when, where the store knows
     * @param left until its lease ends if nobody renews it
     */
    public record Holder(
            Client client, long claim, String label, int weight, long token, Optional<Instant> since, Duration left) {}

    /**
     * Somebody who waits. Those who wait behind the claim of another client are one entry, "and N more in this process".
     *
     * @param client which client
     * @param claim the number of its claim; zero for those who wait behind the claim of their client and have none of their own
     * @param label the label of the lock's options, or the name of the thread
     * @param weight how much of the capacity it wants
     * @param threads how many it stands for, one as a rule
     */
    public record Waiter(Client client, long claim, String label, int weight, int threads) {}

    /**
     * How many wait, those included who wait behind the claim of their client.
     *
     * @return how many
     */
    public int waiting() {
        return (int) Math.min(
                Integer.MAX_VALUE, waiters.stream().mapToLong(Waiter::threads).sum());
    }
}
