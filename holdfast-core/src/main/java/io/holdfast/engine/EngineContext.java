package io.holdfast.engine;

import io.holdfast.LockException;
import io.holdfast.LockStoreException;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** What the parts of one client share: the store, time and threads, the watchdog, and who is waiting for what. */
final class EngineContext implements BackendListener {
    private final String clientId;
    private final LockBackend backend;
    private final EngineRuntime runtime;
    private final TimeSource time;
    private final Logger logger = System.getLogger("io.holdfast");
    private final Events events = new Events(logger);
    private final Watchdog watchdog = new Watchdog(this);
    private final ReleaseRetrier retrier = new ReleaseRetrier(this);
    private final Untold untold = new Untold();

    private final AtomicLong sequence = new AtomicLong();
    private final ConcurrentHashMap<ClaimId, ClaimAttempt> attempts = new ConcurrentHashMap<>();
    private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /** Callers between their first and their last word with the store; closing waits for them. */
    private final LongAdder callers = new LongAdder();

    EngineContext(String clientId, LockBackend backend, EngineRuntime runtime) {
        this.clientId = clientId;
        this.backend = backend;
        this.runtime = runtime;
        this.time = runtime.time();
    }

    String clientId() {
        return clientId;
    }

    LockBackend backend() {
        return backend;
    }

    EngineRuntime runtime() {
        return runtime;
    }

    TimeSource time() {
        return time;
    }

    Logger logger() {
        return logger;
    }

    Events events() {
        return events;
    }

    Watchdog watchdog() {
        return watchdog;
    }

    Untold untold() {
        return untold;
    }

    Claim newClaim(Resource resource, int weight, int tokens, Request request) {
        ClaimId id = new ClaimId(clientId, sequence.incrementAndGet());
        return new Claim(id, resource, weight, request.options().lease(), tokens, !request.once(), request.label());
    }

    /** Four fifths to six fifths of a time, so that clients that began together do not go on together. */
    long jittered(long nanos) {
        return nanos - nanos / 5 + runtime.random(nanos / 5 * 2 + 1);
    }

    // ---- claims on their way

    /** Messages about the claim go to this attempt from now on; before the first attempt, so that none is missed. */
    void pursuing(ClaimAttempt attempt) {
        if (attempt.claim().waits()) {
            attempts.put(attempt.claim().id(), attempt);
        }
    }

    void pursued(ClaimAttempt attempt) {
        if (attempt.claim().waits()) {
            attempts.remove(attempt.claim().id());
        }
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        ClaimAttempt found = attempts.get(claim);
        if (found != null) {
            found.push(token, left, startNanos);
        }
    }

    @Override
    public void served(ClaimId claim) {
        ClaimAttempt found = attempts.get(claim);
        if (found != null) {
            found.askNow();
        }
    }

    @Override
    public void revoked(ClaimId claim) {
        watchdog.forEach(hold -> {
            if (hold.claim().id().equals(claim)) {
                runtime.renewals().execute(() -> watchdog.look(hold));
            }
        });
    }

    @Override
    public void changed(Resource resource) {
        attempts.values().forEach(each -> {
            Resource waitedFor = each.claim().resource();
            if (waitedFor.kind() == resource.kind() && waitedFor.name().equals(resource.name())) {
                each.askNow();
            }
        });
    }

    @Override
    public void missed() {
        attempts.values().forEach(ClaimAttempt::askNow);
    }

    @Override
    public List<ClientLine> lines() {
        Set<Gate> gates = new HashSet<>();
        waiting.forEach(waiter -> gates.add(waiter.gate));
        watchdog.forEach(hold -> {
            if (hold.isPassedOn()) {
                gates.add(hold.gate());
            }
        });
        return gates.stream().map(Gate::unseen).filter(Objects::nonNull).toList();
    }

    // ---- leases

    /** A lease has been made: from here it is watched, and then it is the user's. */
    void handedOut(StoreGrant hold, EngineLease lease, Request request) {
        watchdog.watch(hold);
        events.acquired(lease, request, time);
        if (closed) {
            lease.close();
        }
    }

    /** Looks at a resource, for an answer or a message. */
    Optional<ResourceView> inspect(Resource resource) {
        try {
            return backend.inspect(resource);
        } catch (LockException known) {
            throw known;
        } catch (RuntimeException trouble) {
            String name = resource.name();
            throw new LockStoreException(
                    resource.kind(),
                    name,
                    "could not look at '" + name + "': " + trouble.getMessage() + "; check the store",
                    trouble);
        }
    }

    /** Where to call the store about a resource when no caller's thread is at hand. */
    Executor worker(Resource resource) {
        return runtime.worker(backend.part(resource));
    }

    /** Releases a claim that ends. Never throws: what could not be delivered is repeated in the background. */
    void end(Claim claim, long unsettledUntilNanos, Duration longest) {
        boolean settled = unsettledUntilNanos == ReleaseRetrier.SETTLED || unsettledUntilNanos - time.nanoTime() <= 0;
        boolean answered = false;
        try {
            backend.release(claim);
            answered = true;
        } catch (Throwable trouble) {
            logger.log(
                    Level.DEBUG, "release of claim " + claim.id() + " was not answered; it will be repeated", trouble);
        }
        if (!answered || !settled) {
            settle(claim, unsettledUntilNanos, longest);
        }
    }

    /** Releases a claim that ends, in the background. */
    void settle(Claim claim, long unsettledUntilNanos, Duration longest) {
        retrier.settle(claim, unsettledUntilNanos, longest);
    }

    /** Ends what only this client's own background work keeps in the way of one try. */
    void clear(Resource resource) {
        retrier.lay(resource);
    }

    /** Runs what a user gave us. */
    void guarded(String what, Runnable action) {
        try {
            action.run();
        } catch (Throwable trouble) {
            logger.log(Level.WARNING, "a callback given to " + what + " threw", trouble);
        }
    }

    // ---- opening and closing

    void ensureOpen() {
        if (closed) {
            throw closedException();
        }
    }

    IllegalStateException closedException() {
        return new IllegalStateException("lock client " + clientId + " is closed; open a new one");
    }

    /** A caller begins to talk to the store; {@link #done} must follow. */
    void begin() {
        callers.increment();
        if (closed) {
            callers.decrement();
            throw closedException();
        }
    }

    /** As {@link #begin}, for what must be finished even while closing. */
    void beginLast() {
        callers.increment();
    }

    void done() {
        callers.decrement();
    }

    /** Somebody is about to wait: remembered, so that closing can wake them. True the first time. */
    boolean waits(Waiter waiter) {
        boolean first = waiting.add(waiter);
        if (first && closed) {
            waiter.abandon(closedException());
            waiter.dismiss();
        }
        return first;
    }

    void waitsNoMore(Waiter waiter) {
        if (!waiting.isEmpty()) {
            waiting.remove(waiter);
        }
    }

    /** True the first time. */
    boolean close() {
        if (!closing.compareAndSet(false, true)) {
            return false;
        }
        closed = true;
        untold.close();
        waiting.forEach(waiter -> waiter.abandon(closedException()));
        return true;
    }

    boolean isClosed() {
        return closed;
    }

    boolean nobodyWaits() {
        return waiting.isEmpty() && nobodyCalls();
    }

    boolean nobodyCalls() {
        return callers.sum() == 0;
    }

    /** Those who could not even hear that the client is closing, because its threads had ended. */
    void dismissRest() {
        waiting.forEach(Waiter::dismiss);
        waiting.clear();
    }

    void settleAll(BooleanSupplier timeIsUp) {
        retrier.close(timeIsUp);
    }

    /** What a test looks at to see that nothing was left behind. */
    int leftovers() {
        return attempts.size() + waiting.size() + watchdog.size() + retrier.size() + untold.size();
    }
}
