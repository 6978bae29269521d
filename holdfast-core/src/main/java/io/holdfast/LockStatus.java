package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who holds a lock and who waits for it, as the store knew it a moment ago.
 *
 * <p>Threads of one client pass a lock on among themselves and are one claim in the store. Their own client shows each
 * of them. Other clients see what that client told the store, 2 s ago at most while the store answers: which thread has
 * the lock, of how many, and one entry for all that wait behind it.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * @since 0.1
 */
public interface LockStatus {

    /**
     * Returns what the name is used as.
     *
     * @return the kind
     */
    LockKind kind();

    /**
     * Returns the name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns how much of it there is.
     *
     * @return one for a mutex, the permits of a semaphore, the arrivals of a latch
     */
    int capacity();

    /**
     * Returns who holds it.
     *
     * @return the holders; empty if it is free
     */
    List<Holder> holders();

    /**
     * Returns who waits.
     *
     * @return the waiters, the next one first
     */
    List<Waiter> waiters();

    /**
     * Returns how many wait, those included that wait behind the claim of their client.
     *
     * @return how many
     */
    default int waiting() {
        return (int) Math.min(
                Integer.MAX_VALUE, waiters().stream().mapToLong(Waiter::threads).sum());
    }

    /**
     * A client, as it introduced itself to the store. Its text form names it for people.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface Client {

        /**
         * Returns its identity.
         *
         * @return its {@link LockClient#id()}
         */
        String id();

        /**
         * Returns where it runs.
         *
         * @return the host, or empty if the store does not know
         */
        String host();

        /**
         * Returns its process.
         *
         * @return the process id on its host, or zero if the store does not know
         */
        long pid();

        /**
         * Returns what its user calls it.
         *
         * @return the name that its builder was given, or empty
         */
        String name();
    }

    /**
     * What a holder and a waiter have in common: a claim of a client. Can be given to {@link LockInspector#breakClaim}.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface Claimant {

        /**
         * Returns whose claim it is.
         *
         * @return the client
         */
        Client client();

        /**
         * Returns the number of the claim.
         *
         * @return the number, unique in its client; zero for waiters behind the claim of their client, which have none
         *     of their own
         */
        long claim();

        /**
         * Returns who it is, for people.
         *
         * @return the label of the lock's options, or the name of the thread. For a holder in another client it is
         *     followed by "one of N threads" while others wait there that may have the lock by now
         */
        String label();

        /**
         * Returns how much of the capacity it has or wants.
         *
         * @return the weight
         */
        int weight();
    }

    /**
     * A claim that holds.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface Holder extends Claimant {

        /**
         * Returns the fencing token.
         *
         * @return the greatest token that its grant reserved
         */
        long token();

        /**
         * Returns since when it holds.
         *
         * @return the time of the grant, where the store knows it
         */
        Optional<Instant> since();

        /**
         * Returns how long its lease lasts if nobody renews it.
         *
         * @return the time left
         */
        Duration left();
    }

    /**
     * A claim that waits. All that wait behind the claim of another client are one entry, "and N more in this process".
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface Waiter extends Claimant {

        /**
         * Returns since when it waits.
         *
         * @return the time at which it came into the line, where the store knows it
         */
        Optional<Instant> since();

        /**
         * Returns how many it stands for.
         *
         * @return the number of threads, one as a rule
         */
        int threads();
    }
}
