package io.holdfast.comparison;

/** A library that takes part in a workload, until it fails. */
record Entry(Contestant contestant, Tally tally) {

    /** What one library does in its turn. */
    interface Turn {
        void take(Contestant contestant, Tally tally) throws Exception;
    }

    Library library() {
        return contestant.library();
    }

    /** Takes a turn unless an earlier one failed. A failure is noted and hurts nobody else. */
    void attempt(Turn turn) throws InterruptedException {
        if (tally.hasFailed()) {
            return;
        }
        try {
            turn.take(contestant, tally);
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception trouble) {
            tally.fail(trouble.getMessage() == null ? trouble.toString() : trouble.getMessage());
            contestant.workers().forEach(WorkerProcess::kill);
        }
    }

    /** The same in a thread of its own, which nobody interrupts. */
    void attemptHere(Turn turn) {
        try {
            attempt(turn);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
