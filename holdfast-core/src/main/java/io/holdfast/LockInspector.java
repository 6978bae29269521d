package io.holdfast;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks at everybody's locks, for operators and their tools.
 *
 * <p><b>Guarantees.</b> Looking changes nothing and does not stop the store, however many locks there are.
 *
 * <p><b>Not guaranteed.</b> What is seen may be over already. A list is no snapshot: each lock is shown as of its own moment.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link LockStoreException} when the store cannot be asked.
 *
 * <pre>{@code
 * try (Stream<LockStatus> all = locks.inspector().list("order:")) {
 *     all.forEach(each -> System.out.println(each.name() + " held by " + each.holders()));
 * }
 * }</pre>
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
     * Takes a lock away from its holder, or a waiter out of the line. Whoever is next gets the lock at once. The holder is told that it
     * lost the lock, as soon as it can be reached and at its next renewal at the latest; what it does until then, only a fence
     * at the resource can keep apart.
     *
     * @param kind what the name is used as
     * @param name the name
     * @param client the {@link LockStatus.Client#id()} of the holder or waiter
     * @param claim its claim
     * @return whether the store knew it
     */
    boolean breakClaim(LockKind kind, String name, String client, long claim);
}
