package io.holdfast;

/**
 * One name that is held until it is closed, or until it is lost.
 *
 * <p><b>Guarantees.</b> Those of {@link Held}; and the {@link #token()} is greater than that of every earlier lease of
 * this name.
 *
 * <p><b>Not guaranteed, threads, interruption, failures.</b> As for {@link Held}.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire()) {
 *     lease.onLost(reason -> job.cancel());
 *     storage.write(data, lease.token());
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface Lease extends Held {

    /**
     * Returns what the name is used as.
     *
     * @return the kind; two kinds of one name are independent of each other
     */
    LockKind kind();

    /**
     * Returns the name that is locked.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the fencing token: positive, unlike that of any other lease of this name, and greater than that of every
     * earlier lease of it.
     *
     * <p>For readers and for permits with {@link Fairness#THROUGHPUT} "earlier" means those that it excludes. A
     * writer's token is greater than all before it, and a reader's lies between those of the writer before and the
     * writer after it. Among readers, and among permits that can be held together, the tokens are in no order. With
     * {@link Fairness#FIFO} each has a greater one than every lease that was there when it was asked for.
     *
     * @return the token
     */
    long token();

    /**
     * Returns the id of the claim that this lease was made of: never used again, by this client or by another one.
     * Leases of one client may share it, one after another, or several readers at once; each has a token of its own. So
     * {@link #token()} and id together name one lease, also where a store that forgot gave the same token twice. That
     * pair is what a fence compares.
     *
     * @return visible ASCII characters, at most 255
     */
    String id();
}
