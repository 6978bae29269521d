package io.holdfast.memory;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClientView;
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

/** All that a {@link MemoryStore} knows: its resources, its clients, and what it has forgotten. */
final class Contents {
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

    /** How long at least a resource that nobody uses is remembered. */
    static final Duration RETENTION = Duration.ofSeconds(10);

    private static final long RETENTION_NANOS = RETENTION.toNanos();
    private static final int SWEPT_PER_CALL = 2;

    private final StoreClock clock;
    private final Guard guard;
    private final Map<LockKind, ConcurrentMap<String, ResourceState>> states = new EnumMap<>(LockKind.class);
    private final Queue<ResourceState> sweepQueue = new ConcurrentLinkedQueue<>();
    private final AtomicLong highestForgottenToken = new AtomicLong();
    private final Set<StoreClient> clients = ConcurrentHashMap.newKeySet();
    private final Waits waits;
    private final ReentrantLock restarting = new ReentrantLock();

    Contents(TimeSource time, Guard guard) {
        this.clock = new StoreClock(time);
        this.guard = guard;
        this.waits = new Waits(clock);
        for (LockKind kind : LockKind.values()) {
            states.put(kind, new ConcurrentHashMap<>());
        }
    }

    /** Comes back after a restart, empty or not. */
    void restart(boolean forget) {
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
        clients.forEach(StoreClient::missed);
    }

    void add(StoreClient client) {
        clients.add(client);
    }

    void remove(StoreClient client) {
        clients.remove(client);
    }

    /** Asks the client itself. */
    Optional<ClientView> client(String clientId) {
        return clients.stream()
                .flatMap(client -> client.card(clientId).stream())
                .findFirst();
    }

    List<String> clients() {
        return clients.stream().flatMap(client -> client.id().stream()).toList();
    }

    /** What clients say of who waits in them. */
    Waits waits() {
        return waits;
    }

    /** What a new name would begin with. */
    long tokenNow() {
        return clock.wallMicros();
    }

    AttemptResult attempt(Claim claim, StoreClient client) {
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

    /** Releases the claim of another client, and tells that client. */
    boolean revoke(Claim claim) {
        boolean released = release(claim);
        if (released) {
            clients.forEach(client -> client.revoked(claim.id()));
        }
        return released;
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
