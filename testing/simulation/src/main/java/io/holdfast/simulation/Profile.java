package io.holdfast.simulation;

/** A mix of faults. The first numbers are rates per ten thousand calls or messages, the others are how often at most per run. */
enum Profile {
    /** Nothing goes wrong but that clocks drift and calls take a little time. */
    CALM(new Wire(0, 0), new Push(0, 0), new Machine(0, 0, 0, 0), new Store(0, 0, 0, 0), 0),
    /** A bad network. */
    LOSSY(new Wire(1200, 300), new Push(1500, 3), new Machine(0, 0, 0, 0), new Store(0, 1, 0, 0), 0),
    /** Bad machines. */
    PAUSES(new Wire(0, 200), new Push(300, 0), new Machine(12, 8, 4, 5), new Store(0, 2, 0, 0), 0),
    /** A bad store, and clients that come and go. */
    RESTARTS(new Wire(100, 50), new Push(300, 1), new Machine(1, 0, 0, 0), new Store(4, 2, 2, 2), 4),
    /** All of it. */
    EVERYTHING(new Wire(500, 200), new Push(800, 2), new Machine(6, 4, 2, 3), new Store(2, 2, 1, 1), 3);

    private final Wire wire;
    private final Push push;
    private final Machine machine;
    private final Store store;
    private final int ends;

    /**
     * What happens to requests.
     *
     * @param faulty how many meet a fault
     * @param slow how many more are slow
     */
    record Wire(int faulty, int slow) {}

    /**
     * What happens to messages.
     *
     * @param faulty how many meet a fault
     * @param cuts how often at most a client is cut off for a while
     */
    record Push(int faulty, int cuts) {}

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
     * What happens to the store.
     *
     * @param downs how often at most it is away for a while
     * @param stalls how often at most it stops for a while, or has its wall clock set
     * @param restarts how often at most it restarts and remembers
     * @param forgets how often at most it restarts and forgets
     */
    record Store(int downs, int stalls, int restarts, int forgets) {}

    Profile(Wire wire, Push push, Machine machine, Store store, int ends) {
        this.wire = wire;
        this.push = push;
        this.machine = machine;
        this.store = store;
        this.ends = ends;
    }

    Wire wire() {
        return wire;
    }

    Push push() {
        return push;
    }

    Machine machine() {
        return machine;
    }

    Store store() {
        return store;
    }

    /** How often at most a client is killed or closed. */
    int ends() {
        return ends;
    }

    /** Whether clocks are left alone and everybody who is alive runs. */
    boolean hasSoundMachines() {
        return machine.pauses == 0 && machine.stalls == 0 && machine.suspends == 0 && machine.wallSteps == 0;
    }

    boolean isCalm() {
        return this == CALM;
    }
}
