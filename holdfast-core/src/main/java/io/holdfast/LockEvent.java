package io.holdfast;

import java.time.Duration;

/**
 * Something that happened to a lock of one client, for a {@link LockListener}. Every event names the lock, by kind and
 * name.
 *
 * <p><b>Growth.</b> Later versions may add events, and add to what an event tells. So a listener ignores an event that
 * it does not know.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version. To test a listener, make events with
 * the {@code of} method of each type.
 *
 * @since 0.1
 */
public interface LockEvent {

    /**
     * Returns what the name is used as.
     *
     * @return the kind; two kinds of one name are independent of each other
     */
    LockKind kind();

    /**
     * Returns which lock it happened to.
     *
     * @return the name
     */
    String name();

    /**
     * A lease was handed out.
     *
     * @since 0.1
     */
    interface Acquired extends LockEvent {

        /**
         * Returns the fencing token.
         *
         * @return the token of the lease
         */
        long token();

        /**
         * Returns how long it took.
         *
         * @return the time from the call to the hand-out
         */
        Duration waited();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param waited from the call to the hand-out
         * @return the event
         */
        static Acquired of(LockKind kind, String name, long token, Duration waited) {
            return new EventValues.Acquired(kind, name, token, waited);
        }
    }

    /**
     * A caller begins to wait because the lock is taken, or because another thread of this client asked before. At most
     * once per wait.
     *
     * @since 0.1
     */
    interface Contended extends LockEvent {

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @return the event
         */
        static Contended of(LockKind kind, String name) {
            return new EventValues.Contended(kind, name);
        }
    }

    /**
     * A caller waits because the store grants nothing now, whether the lock is taken or not: it refuses, or it did not
     * answer. Comes for the one caller of this client that asks the store, and for those that arrive while it lasts. At
     * most once per wait.
     *
     * @since 0.1
     */
    interface Obstructed extends LockEvent {

        /**
         * Returns why.
         *
         * @return what a caller gets that does not wait; a {@link LockRefusedException} tells when it may be over
         */
        Throwable cause();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param cause what a caller gets that does not wait
         * @return the event
         */
        static Obstructed of(LockKind kind, String name, Throwable cause) {
            return new EventValues.Obstructed(kind, name, cause);
        }
    }

    /**
     * The watchdog renewed a lease.
     *
     * @since 0.1
     */
    interface Renewed extends LockEvent {

        /**
         * Returns the fencing token.
         *
         * @return the token of the lease
         */
        long token();

        /**
         * Returns the time until the deadline.
         *
         * @return the time that the lease has now
         */
        Duration remaining();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param remaining the time it has now
         * @return the event
         */
        static Renewed of(LockKind kind, String name, long token, Duration remaining) {
            return new EventValues.Renewed(kind, name, token, remaining);
        }
    }

    /**
     * A renewal failed while the lease is still valid. Once per run of consecutive failures.
     *
     * @since 0.1
     */
    interface AtRisk extends LockEvent {

        /**
         * Returns the fencing token.
         *
         * @return the token of the lease
         */
        long token();

        /**
         * Returns the time until the deadline.
         *
         * @return the time that is left for a renewal to succeed
         */
        Duration remaining();

        /**
         * Returns why.
         *
         * @return what the store said
         */
        Throwable cause();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param remaining the time it has left
         * @param cause what the store said
         * @return the event
         */
        static AtRisk of(LockKind kind, String name, long token, Duration remaining, Throwable cause) {
            return new EventValues.AtRisk(kind, name, token, remaining, cause);
        }
    }

    /**
     * A lease was lost. Once per lease, never after {@link Released}.
     *
     * @since 0.1
     */
    interface Lost extends LockEvent {

        /**
         * Returns the fencing token.
         *
         * @return the token of the lease
         */
        long token();

        /**
         * Returns why.
         *
         * @return the reason
         */
        LostReason reason();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param reason why
         * @return the event
         */
        static Lost of(LockKind kind, String name, long token, LostReason reason) {
            return new EventValues.Lost(kind, name, token, reason);
        }
    }

    /**
     * A lease was given back. Once per lease, never after {@link Lost}.
     *
     * @since 0.1
     */
    interface Released extends LockEvent {

        /**
         * Returns the fencing token.
         *
         * @return the token of the lease
         */
        long token();

        /**
         * Returns how long it was held.
         *
         * @return the time from the hand-out to the release
         */
        Duration held();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param held from the hand-out to the release
         * @return the event
         */
        static Released of(LockKind kind, String name, long token, Duration held) {
            return new EventValues.Released(kind, name, token, held);
        }
    }
}
