package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * One store, seen by one client. This page is all that a backend author needs.
 *
 * <p><b>The model.</b> A {@link Resource} has a capacity. A {@link Claim} asks for some of it; the claim is known by an
 * id that is never used again. The store keeps, for each resource, the claims that hold it (each until its lease ends)
 * and a line of claims that wait. A mutex is one of one, a semaphore k of n, a reader one and a writer all.
 *
 * <p><b>Rules.</b>
 * <ol>
 *   <li>Every call is one trip and never waits for another holder.
 *   <li>Every call is idempotent per claim: repeating it, late or twice, changes nothing more.
 *   <li>A grant carries a token greater than every token ever handed out for that resource, also after the store forgot
 *       the resource. A claim that asks for a block of tokens owns all of them.
 *   <li>A claim that fits is granted only if nobody stands before it. The first in the line that fits is served next:
 *       on every release, on every claim that leaves the line, and on every attempt that finds room.
 *   <li>A place in the line is a lease too: a claim that has not asked for a few seconds may be dropped, and gets a new
 *       place when it asks again.
 *   <li>A lease ends in the store never before the time it was granted or renewed for. It is never shortened.
 *   <li>{@link #release} and {@link #renew} touch nothing but the claim they name.
 *   <li>A request takes effect at the latest {@link #requestTimeout()} after it was sent, or never, or a release sent
 *       later in the same session takes effect later. Once its call has ended, it is not sent any more.
 *   <li>Any exception from a call means that its outcome is unknown. The engine then repeats it with the same claim, or
 *       releases the claim until it can be sure. It does not repeat it after a {@link
 *       io.holdfast.LockStoreException#isLasting() lasting} trouble.
 *   <li>A claim of weight zero waits for a <em>full</em> resource, and does not stand in anybody's way (count-down
 *       latch).
 * </ol>
 *
 * <p><b>Interruption.</b> A call may find the thread's interrupt flag set. It must not give up in the middle of a trip
 * because of it, and the flag stays set.
 *
 * <p><b>Threads.</b> Every method may be called by any number of threads; the engine has at most one attempt per claim
 * under way.
 *
 * <p><b>Implementing.</b> For authors of backends. A method that is added later has a default, so that a backend of
 * today works with a later engine.
 *
 * @since 0.1
 */
public interface LockBackend extends AutoCloseable {

    /**
     * Called once, before anything else.
     *
     * @param clientId the identity of the client, equal to {@link ClaimId#client()} of its claims
     * @param listener is told of grants and changes
     */
    void start(String clientId, BackendListener listener);

    /**
     * Asks for a claim, or asks again. A claim that holds already gets the same token and at least its lease from now;
     * one that waits keeps its place. A claim that holds with a token below {@link Claim#leastToken()} holds with that
     * one from then on, if the store {@link #raisesTokens}.
     *
     * @param claim what is asked for
     * @param patience how long the caller can wait for the answer, perhaps much longer than {@link #requestTimeout()}.
     *     A request without an answer is given up after that at the latest. One that was not sent yet, because others
     *     are before it, may wait for its turn meanwhile
     * @return the store's answer
     */
    AttemptResult attempt(Claim claim, Duration patience);

    /**
     * Gives back what the claim holds, or leaves the line. Says nothing about anybody else's claim.
     *
     * @param claim the claim that ends
     * @return whether the store knew the claim
     */
    boolean release(Claim claim);

    /**
     * Makes each claim that is still held last as long as asked, counted from now, or longer. A store that cannot give
     * so much says how much it gave. The result of one never depends on another, and trouble with one is {@link
     * RenewResult.Failed} for that one only.
     *
     * @param renewals which claims, and for how long
     * @return one result for each, in the same order
     */
    List<RenewResult> renew(List<Renewal> renewals);

    /**
     * Looks at one resource without changing it.
     *
     * @param resource which one; its capacity is ignored
     * @return who holds it and who waits, or empty when the store knows nothing of it
     */
    Optional<ResourceView> inspect(Resource resource);

    /**
     * Looks at every resource whose name begins with a prefix, without changing anything and without stopping the
     * store.
     *
     * @param namePrefix the beginning of the name, empty for all
     * @return what is there, in no order; to be closed
     */
    Stream<ResourceView> list(String namePrefix);

    /**
     * Ends somebody else's claim, as {@link #release} would, and tells its client if it can be told.
     *
     * @param claim the claim that ends; only its id, resource and label count
     * @return whether the store knew the claim
     */
    default boolean revoke(Claim claim) {
        return release(claim);
    }

    /**
     * Tells whether a claim that has ended was ended with {@link #revoke}, for people who look. Whatever {@code revoke}
     * remembers of it is there before the claim is gone, and for a minute.
     *
     * @param resource where it was
     * @param claim which one
     * @return whether it was; false where the store does not remember
     */
    default boolean wasRevoked(Resource resource, ClaimId claim) {
        return false;
    }

    /**
     * Tells what the store knows of a client, this one or another.
     *
     * @param clientId its identity
     * @return what it said of itself, or empty
     */
    default Optional<ClientView> client(String clientId) {
        return Optional.empty();
    }

    /**
     * Lets other clients see who of this one waits while holding something, for a few seconds. The record of the same
     * client before is replaced; one without suspects is removed. A store that does not keep it, which is the default,
     * finds deadlocks inside one client only.
     *
     * @param record what to show, as {@link WaitText#of} writes it
     */
    default void publishWaits(WaitRecord record) {}

    /**
     * Returns the record of waits that a client published last, if that was a few seconds ago at most. What is returned
     * is never older than what was there when the call was made.
     *
     * @param clientId its identity
     * @return the text of the record, unread; empty if there is none
     */
    default Optional<String> waitsOf(String clientId) {
        return Optional.empty();
    }

    /**
     * Returns the clients that the store knows of, this one among them. Some may have ended a short while ago.
     *
     * @return their identities; empty where the store keeps no list of them
     */
    default List<String> clients() {
        return List.of();
    }

    /**
     * Tells which store this is, where the store can tell: two backends with one identity are two ways to the same
     * store, however they were addressed.
     *
     * @return its identity, or empty while it is not known
     */
    default Optional<String> storeId() {
        return Optional.empty();
    }

    /**
     * Names the part of the store that has a resource, where a store has parts that may fall silent one by one. Work
     * for one part does not wait behind work for another. Answered at once, from what is known.
     *
     * @param resource which one
     * @return the same name for resources that share a part
     */
    default String part(Resource resource) {
        return "";
    }

    /**
     * Estimates the first token that this store would give for a new name now, rather too high than too low, so that
     * several stores can be asked for the same one.
     *
     * @return about that token, or empty where tokens have nothing to do with time
     */
    default OptionalLong tokenNow() {
        return OptionalLong.empty();
    }

    /**
     * Tells whether a claim gets tokens from {@link Claim#leastToken()} on. False where tokens are the store's own,
     * such as numbers of revisions, which nobody can raise. Such a store cannot be a member of a quorum.
     *
     * @return true unless overridden; always the same
     */
    default boolean raisesTokens() {
        return true;
    }

    /**
     * Returns the longest lease that the store gives, where it has a limit. The engine asks for no more: a longer fixed
     * lease is refused, a longer one that is renewed is shortened to this and renewed more often. Arrivals at a latch,
     * which nobody renews, are asked for as long as ever.
     *
     * @return at least {@link io.holdfast.LockOptions#SHORTEST_LEASE}, and always the same after {@link #start}. Before
     *     that it may be empty, where only the store can tell; empty unless overridden
     */
    default Optional<Duration> longestLease() {
        return Optional.empty();
    }

    /**
     * Tells whether a claim lasts until its lease ends, also when its client was closed or died. False where what a
     * client holds ends with it, as in a session. Nothing can be left to itself there: {@link
     * io.holdfast.Held#closeAfter} is refused.
     *
     * @return true unless overridden; always the same, before {@link #start} too
     */
    default boolean outlivesClient() {
        return true;
    }

    /**
     * Returns how late a request can still take effect.
     *
     * @return the time after the call ended, or after it was made, whichever is later
     */
    Duration requestTimeout();

    /** Frees what the backend uses. The engine has released its claims before. Closing twice does nothing. */
    @Override
    void close();
}
