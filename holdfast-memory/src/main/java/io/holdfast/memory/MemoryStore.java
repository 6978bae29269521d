package io.holdfast.memory;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * A store in the memory of this process, shared by any number of clients: the server that the others have far away.
 *
 * <p><b>Guarantees.</b> All rules of {@link LockBackend}. Work on one resource never waits for work on another. Tokens
 * of a name grow even when the store has forgotten the name, when its wall clock is set back, and after {@link
 * #restart}. Only its own clock counts leases; clients may have clocks of their own.
 *
 * <p><b>Not guaranteed.</b> Nothing outlives the process. A lease that ends is noticed by the next attempt or release
 * on the same resource, not by a timer. The place in a long line may count some who have left it.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads, platform or virtual. Has none of its own: a client hears of
 * a hand-over on the thread whose call caused it.
 *
 * <p><b>Failures.</b> None, but {@link AttemptResult.Refused} after a restart that forgot.
 *
 * <pre>{@code
 * MemoryStore store = new MemoryStore();
 * try (LockClient one = MemoryLocks.connect(store);
 *         LockClient other = MemoryLocks.connect(store)) {
 *     Lease lease = one.lock("order:42").acquire();
 *     assert other.lock("order:42").tryAcquire().isEmpty();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class MemoryStore {
    // Races: a resource is guarded by the lock of its ResourceState, see there. No thread ever holds two such locks, or
    // holds one while it calls a map or a listener. The maps say where to find a state, not whether it is still
    // valid: whoever finds a forgotten one takes it out and looks again. A state is made inside computeIfAbsent, so
    // after the last one of that name was taken out, and thus after its token went into highestForgottenToken.
    //
    // Restart: the guard is shut before the maps are walked over. An attempt puts its state into the map before it asks
    // the guard, so either the guard refuses it or the walk finds what it was granted.
    //
    // Sweep: every state is in the queue once, from its making until it is forgotten. Each attempt and each batch of
    // renewals looks at the head of the queue and handles at most two states that are due, so the work is spread over
    // the calls and nothing ever walks over all names.

    /** How long a claim keeps its place in a line without asking again. */
    public static final Duration PLACE_LEASE = Duration.ofSeconds(3);

    /**
     * The lease of a claim that is served while it waits, unless its own is shorter; a dead client costs the others
     * this long.
     */
    public static final Duration GRANT_LEASE = Duration.ofSeconds(3);

    /** How long at least a resource that nobody uses is remembered. */
    public static final Duration RETENTION = Duration.ofSeconds(10);

    private static final long RETENTION_NANOS = RETENTION.toNanos();
    private static final int SWEPT_PER_CALL = 2;

    private final StoreClock clock;
    private final Guard guard;
    private final Map<LockKind, ConcurrentMap<String, ResourceState>> states = new EnumMap<>(LockKind.class);
    private final Queue<ResourceState> sweepQueue = new ConcurrentLinkedQueue<>();
    private final AtomicLong highestForgottenToken = new AtomicLong();
    private final Set<MemoryBackend> clients = ConcurrentHashMap.newKeySet();
    private final ReentrantLock restarting = new ReentrantLock();

    /** Creates an empty store that uses the clocks of the machine. */
    public MemoryStore() {
        this(TimeSource.system());
    }

    /**
     * Creates an empty store.
     *
     * @param time the clocks of the store: the monotonic one counts leases, the wall clock makes tokens
     */
    public MemoryStore(TimeSource time) {
        this(time, new Guard(true));
    }

    private MemoryStore(TimeSource time, Guard guard) {
        this.clock = new StoreClock(time);
        this.guard = guard;
        for (LockKind kind : LockKind.values()) {
            states.put(kind, new ConcurrentHashMap<>());
        }
    }

    /**
     * Creates an empty store that grants at once after a restart, even what a client from before still believes to
     * hold. Only for tests that show what the guard is good for.
     *
     * @param time the clocks of the store
     * @return a store whose {@link #restart} is unsafe
     */
    public static MemoryStore withoutGuard(TimeSource time) {
        return new MemoryStore(time, new Guard(false));
    }

    /**
     * Connects a client that runs on the clocks of the machine.
     *
     * @return for one client, which starts and closes it
     */
    public LockBackend connect() {
        return connect(TimeSource.system());
    }

    /**
     * Connects a client.
     *
     * <p>After {@link LockBackend#close()} its waiting claims are passed over, what it holds stays until the lease
     * ends, and its methods throw {@link IllegalStateException}.
     *
     * @param clientTime the clocks of that client, in which it is told when a lease began
     * @return for one client, which starts and closes it
     */
    public LockBackend connect(TimeSource clientTime) {
        return new MemoryBackend(this, Objects.requireNonNull(clientTime, "clientTime"));
    }

    /**
     * Does what a restart of a server does; for tests. Every client hears that it may have missed messages.
     *
     * <p>A store that forgets drops every holder and every line, and then refuses all claims until the longest lease
     * that it ever gave has passed, because a client that holds one cannot know that it is forgotten. The order of
     * tokens survives.
     *
     * @param forget whether the store comes back empty
     */
    public void restart(boolean forget) {
        if (forget) {
            restarting.lock();
            try {
                guard.shut();
                states.values().forEach(this::forgetAll);
                guard.openAfterLongestLease(clock.nowNanos());
            } finally {
                restarting.unlock();
            }
        }
        clients.forEach(MemoryBackend::missed);
    }

    void add(MemoryBackend client) {
        clients.add(client);
    }

    void remove(MemoryBackend client) {
        clients.remove(client);
    }

    /** Asks the client itself. */
    Optional<ClientView> client(String clientId) {
        return clients.stream()
                .flatMap(client -> client.card(clientId).stream())
                .findFirst();
    }

    /** What a new name would begin with. */
    long tokenNow() {
        return clock.wallMicros();
    }

    AttemptResult attempt(Claim claim, MemoryBackend client) {
        sweep();
        String name = claim.resource().name();
        ConcurrentMap<String, ResourceState> sameKind =
                sameKind(claim.resource().kind());
        while (true) {
            ResourceState state = sameKind.get(name);
            if (state == null) {
                state = sameKind.computeIfAbsent(name, unknown -> create(claim.resource()));
            }
            AttemptResult result = state.attempt(claim, client);
            if (result != null) {
                return result;
            }
            sameKind.remove(name, state);
        }
    }

    boolean release(Claim claim) {
        ResourceState state =
                sameKind(claim.resource().kind()).get(claim.resource().name());
        return state != null && state.release(claim.id());
    }

    List<RenewResult> renew(List<Renewal> renewals) {
        sweep();
        List<RenewResult> results = new ArrayList<>(renewals.size());
        for (Renewal renewal : renewals) {
            Claim claim = renewal.claim();
            ResourceState state =
                    sameKind(claim.resource().kind()).get(claim.resource().name());
            results.add(state == null ? ResourceState.GONE : state.renew(claim.id(), renewal.lease()));
        }
        return results;
    }

    Optional<ResourceView> inspect(Resource resource) {
        ResourceState state = sameKind(resource.kind()).get(resource.name());
        return state == null ? Optional.empty() : state.view();
    }

    Stream<ResourceView> list(String namePrefix) {
        return states.values().stream()
                .flatMap(sameKind -> sameKind.values().stream())
                .filter(state -> state.name().startsWith(namePrefix))
                .flatMap(state -> state.view().stream());
    }

    /** How many resources are remembered, used or not. */
    int size() {
        return states.values().stream().mapToInt(Map::size).sum();
    }

    private ConcurrentMap<String, ResourceState> sameKind(LockKind kind) {
        return Objects.requireNonNull(states.get(kind));
    }

    private ResourceState create(Resource resource) {
        ResourceState state = new ResourceState(resource, highestForgottenToken.get(), clock, guard);
        state.nextSweepNanos = clock.nowNanos() + RETENTION_NANOS;
        sweepQueue.add(state);
        return state;
    }

    private void sweep() {
        long nowNanos = clock.nowNanos();
        for (int i = 0; i < SWEPT_PER_CALL; i++) {
            ResourceState head = sweepQueue.peek();
            if (head == null || head.nextSweepNanos > nowNanos) {
                return;
            }
            // Another thread may have taken that head; then this is a younger one, and looking at it early does no
            // harm.
            ResourceState due = sweepQueue.poll();
            if (due == null) {
                return;
            }
            if (due.forgetIfIdle(nowNanos - RETENTION_NANOS, highestForgottenToken)) {
                sameKind(due.kind()).remove(due.name(), due);
            } else {
                due.nextSweepNanos = nowNanos + RETENTION_NANOS;
                sweepQueue.add(due);
            }
        }
    }

    private void forgetAll(ConcurrentMap<String, ResourceState> sameKind) {
        sameKind.forEach((name, state) -> {
            state.forget(highestForgottenToken);
            sameKind.remove(name, state);
        });
    }
}
