package io.holdfast;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Owners that wait for each other in a circle, found across processes. An owner is a thread, or a name given with
 * {@link LockOptions#owner}.
 *
 * <p><b>Guarantees.</b> There was an instant at which all of it was true: each member held what is said here and waited
 * for what is said here. Those who merely wait behind it are not in it.
 *
 * <p><b>Not guaranteed.</b> That it still lasts: a wait may have had an end, and an operator may have broken a lock. A
 * circle through a lease that nobody owns is not seen, nor one through a database row or anything else that is no lock
 * of this store.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * @since 0.1
 */
public interface Deadlock extends Serializable {

    /**
     * Returns who is in it.
     *
     * @return at least one; each waits for something that another one of them holds, or that it holds itself
     */
    List<Member> members();

    /**
     * Tells whether each member itself must give back what it holds. It may be otherwise for a lease that was taken
     * with {@link Acquirable#acquire()}: any thread may close that.
     *
     * @return false if a lease in it may be another thread's to close
     */
    boolean certain();

    /**
     * Returns when it ends by itself, because a wait in it is bounded or a lease in it is not renewed.
     *
     * @return empty if it lasts until somebody ends it
     */
    Optional<Instant> endsBy();

    /**
     * Makes a deadlock, for the engine and for tests of listeners.
     *
     * @param members who is in it
     * @param certain whether only the members can end it
     * @param endsBy when it ends by itself, if it does
     * @return the deadlock; as text, a line for each member
     */
    static Deadlock of(List<Member> members, boolean certain, Optional<Instant> endsBy) {
        return new DeadlockValues.Circle(List.copyOf(members), certain, endsBy.orElse(null));
    }

    /**
     * One owner in a deadlock.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface Member extends Serializable {

        /**
         * Returns where it runs.
         *
         * @return the client, as people know it: its name, host and process where they are known, else its id
         */
        String client();

        /**
         * Returns who it is.
         *
         * @return the thread's name, or that of {@link LockOptions#owner}
         */
        String owner();

        /**
         * Tells whether it itself must give back what it {@link #holds}.
         *
         * @return false if another thread may
         */
        boolean certain();

        /**
         * Returns what it waits for.
         *
         * @return the kind
         */
        LockKind kind();

        /**
         * Returns what it waits for.
         *
         * @return the name
         */
        String name();

        /**
         * Returns how long it has waited.
         *
         * @return the time until it was told
         */
        Duration waited();

        /**
         * Returns what it holds and others in the deadlock, or it itself, wait for.
         *
         * @return empty for one that only stands in others' way, in a line
         */
        List<Hold> holds();

        /**
         * Makes a member, for the engine and for tests of listeners.
         *
         * @param client where it runs
         * @param owner who it is
         * @param certain whether it itself must give back what it holds
         * @param kind what it waits for
         * @param name which one
         * @param waited for how long
         * @param holds what it holds
         * @return the member
         */
        static Member of(
                String client,
                String owner,
                boolean certain,
                LockKind kind,
                String name,
                Duration waited,
                List<Hold> holds) {
            return new DeadlockValues.Owner(client, owner, certain, kind, name, waited, List.copyOf(holds));
        }
    }

    /**
     * Something that is held.
     *
     * @param kind what it is
     * @param name which one
     * @param token its fencing token
     * @since 0.1
     */
    record Hold(LockKind kind, String name, long token) implements Serializable {}
}
