package io.holdfast.simulation;

/** A mix of faults. */
enum Profile {
    /** Nothing goes wrong but that clocks drift, calls take a little time and users change their minds. */
    CALM,
    /** A bad network. */
    LOSSY,
    /** Bad machines. */
    PAUSES,
    /** A bad store, and clients that come and go. */
    RESTARTS,
    /** All of it. */
    EVERYTHING,
    /** All of it, much more often: what needs three accidents at once happens here. */
    STORM,
    /** All of it, for threads that lock and unlock. */
    VIEWS,
    /** All of it, for crowds of readers, writers and takers of permits, who share what their client holds. */
    SHARING;

    /**
     * What happens on the way. The first three are rates per ten thousand.
     *
     * @param faulty how many requests meet a fault
     * @param slow how many more are slow
     * @param pushes how many messages meet a fault
     * @param cuts how often at most a client is cut off for a while
     */
    record Wire(int faulty, int slow, int pushes, int cuts) {}

    /**
     * What happens to machines.
     *
     * @param pauses how often at most a process is paused
     * @param stalls how many of ten thousand looks at a clock pause the process
     * @param suspends how often at most a machine sleeps
     * @param wallSteps how often at most a wall clock is set
     */
    record Machine(int pauses, int stalls, int suspends, int wallSteps) {}

    /**
     * What happens to the store and to clients.
     *
     * @param downs how often at most it is away for a while
     * @param stalls how often at most it stops for a while, or has its wall clock set
     * @param restarts how often at most it restarts and remembers
     * @param forgets how often at most it restarts and forgets
     * @param ends how often at most a client is killed or closed
     */
    record Ends(int downs, int stalls, int restarts, int forgets, int ends) {}

    Wire wire() {
        return switch (this) {
            case CALM -> new Wire(0, 0, 0, 0);
            case LOSSY -> new Wire(1_200, 300, 1_500, 3);
            case PAUSES -> new Wire(0, 200, 300, 0);
            case RESTARTS -> new Wire(100, 50, 300, 1);
            case EVERYTHING, VIEWS, SHARING -> new Wire(500, 200, 800, 2);
            case STORM -> new Wire(1_500, 500, 2_000, 3);
        };
    }

    Machine machine() {
        return switch (this) {
            case CALM, LOSSY -> new Machine(0, 0, 0, 0);
            case PAUSES -> new Machine(12, 8, 4, 5);
            case RESTARTS -> new Machine(1, 0, 0, 0);
            case EVERYTHING, VIEWS, SHARING -> new Machine(6, 4, 2, 3);
            case STORM -> new Machine(10, 50, 5, 5);
        };
    }

    Ends ends() {
        return switch (this) {
            case CALM -> new Ends(0, 0, 0, 0, 0);
            case LOSSY -> new Ends(0, 1, 0, 0, 0);
            case PAUSES -> new Ends(0, 2, 0, 0, 0);
            case RESTARTS -> new Ends(4, 2, 2, 2, 4);
            case EVERYTHING, STORM, VIEWS, SHARING -> new Ends(2, 2, 1, 1, 3);
        };
    }

    /** Whether clocks are left alone and everybody who is alive runs. */
    boolean hasSoundMachines() {
        return this == CALM || this == LOSSY;
    }

    /** Whether users are threads that lock and unlock, beside those that ask for leases. */
    boolean hasViews() {
        return this == VIEWS;
    }

    /** Whether most users read, write or take permits, and come in crowds. */
    boolean hasCrowds() {
        return this == SHARING;
    }

    boolean isCalm() {
        return this == CALM;
    }
}
