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
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
         * Tells whether {@link Contended} was told of this acquisition before: whoever counts those who wait counts one
         * less now.
         *
         * @return true if it was
         */
        boolean contended();

        /**
         * Makes the event of an acquisition that nobody was in the way of, for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param waited from the call to the hand-out
         * @return the event
         */
        static Acquired of(LockKind kind, String name, long token, Duration waited) {
            return of(kind, name, token, waited, false);
        }

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param token its fencing token
         * @param waited from the call to the hand-out
         * @param contended whether {@link Contended} was told before
         * @return the event
         */
        static Acquired of(LockKind kind, String name, long token, Duration waited, boolean contended) {
            return new EventValues.Acquired(kind, name, token, waited, contended);
        }
    }

    /**
     * An acquisition ended without a lease, and nothing was wrong with the store: somebody else had the lock until the
     * time was up, or the caller did not want it any more.
     *
     * <p>Every acquisition that began ends with exactly one of {@link Acquired}, {@code GaveUp} and {@link Failed}, for
     * each name of several. A caller that was interrupted before it asked, or whose client was closed before, has not
     * begun.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface GaveUp extends LockEvent {

        /**
         * Returns how long it took.
         *
         * @return the time from the call to its end
         */
        Duration waited();

        /**
         * Returns why.
         *
         * @return the reason
         */
        GaveUpReason why();

        /**
         * Tells whether {@link Contended} was told of this acquisition before.
         *
         * @return true if it was
         */
        boolean contended();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param waited from the call to its end
         * @param why the reason
         * @param contended whether {@link Contended} was told before
         * @return the event
         */
        static GaveUp of(LockKind kind, String name, Duration waited, GaveUpReason why, boolean contended) {
            return new EventValues.GaveUp(kind, name, waited, why, contended);
        }
    }

    /**
     * An acquisition ended with an exception: the store did not answer, or refused. Nobody knows then whether the lock
     * was taken.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
     *
     * @since 0.1
     */
    interface Failed extends LockEvent {

        /**
         * Returns how long it took.
         *
         * @return the time from the call to its end
         */
        Duration waited();

        /**
         * Returns why.
         *
         * @return what the caller gets
         */
        Throwable cause();

        /**
         * Tells whether {@link Contended} was told of this acquisition before.
         *
         * @return true if it was
         */
        boolean contended();

        /**
         * Makes the event, for the engine and for tests of listeners.
         *
         * @param kind what the name is used as
         * @param name which lock
         * @param waited from the call to its end
         * @param cause what the caller gets
         * @param contended whether {@link Contended} was told before
         * @return the event
         */
        static Failed of(LockKind kind, String name, Duration waited, Throwable cause, boolean contended) {
            return new EventValues.Failed(kind, name, waited, cause, contended);
        }
    }

    /**
     * A caller begins to wait because the lock is taken, or because another thread of this client asked before. At most
     * once per wait.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
     * A lease was given back, or left to itself with {@link Lease#closeAfter}. Once per lease, never after {@link
     * Lost}.
     *
     * <p><b>Implementing.</b> Not for users: new methods may come with any version.
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
