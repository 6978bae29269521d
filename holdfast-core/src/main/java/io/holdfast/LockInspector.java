package io.holdfast;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks at everybody's locks, for operators and their tools.
 *
 * <p><b>Guarantees.</b> Looking changes nothing and does not stop the store, however many locks there are.
 *
 * <p><b>Not guaranteed.</b> What is seen may be over already. A list is no snapshot: each lock is shown as of its own
 * moment.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link LockStoreException} when the store cannot be asked. {@link IllegalStateException} when the
 * client is closed.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * try (Stream<LockStatus> all = locks.inspector().list("order:")) {
 *     all.forEach(each -> System.out.println(each.name() + " held by " + each.holders()));
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface LockInspector {

    /**
     * Looks at one name.
     *
     * @param kind what it is used as
     * @param name the name
     * @return who holds it and who waits, or empty when nobody does
     */
    Optional<LockStatus> find(LockKind kind, String name);

    /**
     * Looks at every lock that somebody holds or waits for.
     *
     * @param namePrefix how the name begins, empty for all
     * @return what there is, in no order; to be closed
     */
    Stream<LockStatus> list(String namePrefix);

    /**
     * Looks for deadlocks of all clients of the store. Answers at once if there is nothing to suspect; otherwise it
     * takes a few seconds, and ten at most, until it is sure that what it has seen was all there at once. An interrupt
     * ends it early, with what is sure by then; the thread stays interrupted.
     *
     * @return what was found, each once; those of clients that look for none ({@code deadlockDelay} of zero) are not
     *     seen
     */
    List<Deadlock> deadlocks();

    /**
     * Takes a lock away from its holder, or a waiter out of the line. The next in line gets the lock at once. The
     * holder is told that it lost the lock, as soon as it can be reached and at its next renewal at the latest. Until
     * then only a fence at the resource can keep its writes out.
     *
     * @param lock where the claimant was seen
     * @param claimant one of its {@link LockStatus#holders()} or {@link LockStatus#waiters()}
     * @return whether it was there; false when it is over already, or waits behind the claim of its client and has none
     *     of its own
     */
    boolean breakClaim(LockStatus lock, LockStatus.Claimant claimant);

    /**
     * Tells how a claim ended that is not there any more: whether it was broken in the last minute. A store that does
     * not remember it says no.
     *
     * @param lock where the claimant was seen
     * @param claimant one of its {@link LockStatus#holders()} or {@link LockStatus#waiters()}
     * @return whether somebody called {@link #breakClaim}, as far as the store remembers
     */
    boolean wasBroken(LockStatus lock, LockStatus.Claimant claimant);
}
