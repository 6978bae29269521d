package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The locks of the code that runs now: on this thread, under a {@link Locked} method or {@link LockOperations}.
 *
 * <p><b>Guarantees.</b> Sees what this thread holds, and what a transaction of this thread keeps.
 *
 * <p><b>Not guaranteed.</b> Code that runs on another thread than the method sees nothing. In Reactor there is no such
 * thread: ask {@link #mono()}.
 *
 * <p><b>Threads.</b> Each sees its own.
 *
 * <pre>{@code
 * storage.write(data, CurrentLocks.token());
 * }</pre>
 *
 * @since 0.1
 */
public final class CurrentLocks {
    private CurrentLocks() {}

    /**
     * Returns what is held, as a value to hand on.
     *
     * @return a picture of the moment
     */
    public static HeldLocks held() {
        return ThreadLocks.current().view();
    }

    /**
     * Returns all leases that are held.
     *
     * @return those of the innermost call last; empty if there are none
     */
    public static List<Lease> leases() {
        return held().leases();
    }

    /**
     * Returns the lease of a name.
     *
     * @param name of the lock
     * @return its lease
     * @throws IllegalStateException if it is not held here
     */
    public static Lease lease(String name) {
        return held().lease(name);
    }

    /**
     * Returns the fencing token of the innermost call.
     *
     * @return the token of its only name
     * @throws IllegalStateException if nothing is held here, or the innermost call locked several names
     */
    public static long token() {
        return held().token();
    }

    /**
     * Returns if everything that is held here is valid: the line to put before something that must not happen twice.
     *
     * @throws io.holdfast.LockLostException if one was lost
     * @throws IllegalStateException if nothing is held here
     */
    public static void assertHeld() {
        held().assertHeld();
    }

    /**
     * Returns what the Reactor context holds, for code in a {@code Mono} or a {@code Flux}, where no thread holds
     * anything.
     *
     * @return one value for each subscription, also where nothing is held
     */
    @SuppressWarnings("exports") // whoever has Reactor on the module path requires it; nobody else must
    public static Mono<HeldLocks> mono() {
        return Mono.deferContextual(view -> Mono.just(ContextLocks.view(view)));
    }
}
