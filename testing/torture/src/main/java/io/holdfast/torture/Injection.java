package io.holdfast.torture;

import java.time.Duration;

/**
 * A fault that happened.
 *
 * @param fault which one
 * @param detail what exactly was done
 * @param startNanos when it began
 * @param healedNanos when all servers were well again
 * @param firstNanos when a lease was handed out after that, to anybody
 * @param recoveredNanos when every worker had had one
 * @param documented whether exclusion may break, as the documentation says
 * @param aftermath how long somebody may still believe in what a server forgot: the longest lease, and some
 */
record Injection(
        Fault fault,
        String detail,
        long startNanos,
        long healedNanos,
        long firstNanos,
        long recoveredNanos,
        boolean documented,
        Duration aftermath) {

    /** Is what showed at that time the documented consequence of this fault? */
    boolean excuses(Violation violation) {
        return documented
                && (violation.rule() == Rule.EXCLUSION
                        || violation.rule() == Rule.TOKEN_ORDER
                        // Broken on its way, a grant arrives after the next one.
                        || (violation.rule() == Rule.OWN_TOKENS && fault == Fault.BROKEN_LOCKS))
                && new Period(startNanos, healedNanos + aftermath.toNanos()).has(violation.atNanos());
    }

    /** From the end of the fault until somebody had a lease again. */
    long firstAfterNanos() {
        return firstNanos - healedNanos;
    }

    /** From the end of the fault until every worker had had a lease again. */
    long recoveryNanos() {
        return recoveredNanos - healedNanos;
    }
}
