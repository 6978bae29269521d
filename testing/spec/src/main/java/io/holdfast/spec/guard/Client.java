package io.holdfast.spec.guard;

/** One client: what it knows of the servers, and what it believes in. */
final class Client {
    /** What it knows of one server. */
    static final class Session {
        /** With which incarnation it shook hands; 0 if it did not. */
        int incarnation;

        /** How long ago it did so first; more than matters is not counted. */
        int since;

        /** How old the last proof is that the server was followed; more than matters is not counted. */
        int proof;

        Session copy() {
            Session copy = new Session();
            copy.incarnation = incarnation;
            copy.since = since;
            copy.proof = proof;
            return copy;
        }

        void end() {
            incarnation = 0;
            since = 0;
            proof = 0;
        }
    }

    /** For how long its lease is valid, by its own count; 0 if it has none. */
    int valid;

    /** Which incarnation confirmed that. */
    int by;

    /** Whether that was a whole lease, and not what somebody in the line gets at first. Known only if the rules ask. */
    boolean whole;

    final Session[] sessions;

    Client(Session... sessions) {
        this.sessions = sessions;
    }

    Client copy() {
        Client copy = new Client(sessions[0].copy(), sessions[1].copy());
        copy.valid = valid;
        copy.by = by;
        copy.whole = whole;
        return copy;
    }

    boolean holds() {
        return valid > 0;
    }

    void believe(int until, int incarnation, boolean wholeLease) {
        valid = until;
        by = incarnation;
        whole = wholeLease;
    }

    void lose() {
        believe(0, 0, false);
    }
}
