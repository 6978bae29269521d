package io.holdfast.spec.guard;

/** One server: its role, and the one record that matters. */
final class Server {
    /** Nobody. */
    static final int NONE = 0;

    /**
     * A claim that is over, and of which a server does not know yet. Nobody believes in it; a late release may end it.
     */
    static final int GHOST = 1;

    /** Client {@code c} is owner {@code FIRST + c}. */
    static final int FIRST = 2;

    /** Which master of all that there were it is; 0 for a replica. */
    int incarnation;

    int owner;

    /** For how long the record is held; at 0 it is free, though the owner may still renew it. */
    int left;

    /** Who is in the line, or {@link #NONE}. */
    int line;

    /** Whether somebody has shaken hands with this incarnation. */
    boolean marked;

    /** For how long nothing new is granted. */
    int shut;

    /** For how long it goes on writing if nothing is heard of a replica. */
    int writes;

    boolean stopped;

    Server copy() {
        Server copy = new Server();
        copy.incarnation = incarnation;
        copy.marked = marked;
        copy.shut = shut;
        copy.writes = writes;
        copy.stopped = stopped;
        copy.take(this);
        return copy;
    }

    /** Gets the data of another one. */
    void take(Server other) {
        owner = other.owner;
        left = other.left;
        line = other.line;
    }

    boolean isMaster() {
        return incarnation != 0;
    }

    boolean canWrite() {
        return isMaster() && !stopped && writes > 0;
    }

    boolean isFree() {
        return left == 0;
    }

    void grant(int claim, int lease) {
        owner = claim;
        left = lease;
    }
}
