package io.holdfast.torture;

/**
 * A lease as its holder could believe in it: from the moment it had it in its hands until the release call, the
 * deadline or the loss.
 *
 * <p>Both ends are on the safe side, inside the time in which {@link io.holdfast.Lease#isValid()} answered or would
 * have answered yes. So two holds overlap only if there was an instant at which both holders were told that they hold.
 *
 * @param subject what is held
 * @param worker by which process
 * @param weight how much of it
 * @param token the fencing token
 * @param startNanos when it was handed out
 * @param endNanos when it ended
 */
record Hold(Subject subject, String worker, int weight, long token, long startNanos, long endNanos) {
    boolean excludes(int otherWeight) {
        return weight + otherWeight > subject.capacity();
    }

    @Override
    public String toString() {
        return subject + " by " + worker + ", weight " + weight + ", token " + token + ", " + startNanos + " to "
                + endNanos;
    }
}
