package io.holdfast;

import java.util.Optional;

/**
 * One leader among all processes that stand for the same name.
 *
 * <p><b>Guarantees.</b> At most one valid leader at a time, as judged by its own deadline. The term's {@link
 * Lease#token() token} grows with every term, so followers can tell an old leader's orders from a new one's. Candidates
 * lead in the order in which they stood.
 *
 * <p><b>Not guaranteed.</b> That work stops at the instant the term is lost.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Each candidacy runs its work on a thread of its own.
 *
 * <p><b>Interruption.</b> The work is interrupted when its term ends early; what it does about it is its own affair.
 *
 * <p><b>Failures.</b> When the store cannot be reached the candidacy goes on trying, and says so in the log. An
 * exception from the work ends the term and is logged; the candidacy goes on after a second.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version. {@link Work} is for users.
 *
 * <pre>{@code
 * Candidacy candidacy = locks.election("billing").stand(term -> {
 *     while (term.isValid()) {
 *         billNext(term.token());
 *     }
 * });
 * }</pre>
 *
 * @since 0.1
 */
public interface LeaderElection {

    /**
     * What a leader does, usually a lambda.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @since 0.1
     */
    @FunctionalInterface
    interface Work {

        /**
         * Leads for one term, which ends when this returns.
         *
         * @param term the lease of the leadership
         * @throws Exception if the work fails; the term ends, and the exception is logged
         */
        void lead(Lease term) throws Exception;
    }

    /**
     * Returns what is led.
     *
     * @return the name
     */
    String name();

    /**
     * Stands for election, again and again until the candidacy is closed. The term lasts as long as {@code work} runs;
     * when it returns or throws, the next candidate leads and this one goes to the end of the line: at once, or a
     * second after the work threw. When the term is lost or the candidacy is closed, the thread that runs the work is
     * interrupted.
     *
     * @param work receives the term
     * @return the candidacy; closing it withdraws
     */
    Candidacy stand(Work work);

    /**
     * Asks the store who leads now. One trip.
     *
     * @return the label of the leader, or empty when nobody leads
     */
    Optional<String> leader();
}
