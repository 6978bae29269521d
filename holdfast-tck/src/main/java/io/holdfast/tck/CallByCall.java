package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A store against a reference, usually the memory store: the same random calls in the same order, and after each of
 * them the same answer, the same holders and the same line.
 *
 * <p>Nothing expires while it runs, so that the two can be compared step by step. What it does not compare: tokens, of
 * which it only sees that no two claims get the same one, and how long anybody should wait.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * <pre>{@code
 * CallByCall.compare(store.newBackend(), new MemoryStore().connect(), 60, Duration.ofMinutes(10));
 * }</pre>
 *
 * @since 0.1
 */
public final class CallByCall {
    private static final String CLIENT = "client";
    private static final int STEPS = 60;

    private final LockBackend store;
    private final LockBackend reference;
    private final Duration lease;
    private long sequence;

    private CallByCall(LockBackend store, LockBackend reference, Duration lease) {
        this.store = store;
        this.reference = reference;
        this.lease = lease;
    }

    /**
     * Plays and compares. Starts both, and closes them.
     *
     * @param store not started
     * @param reference not started
     * @param rounds how often each kind of resource is played with
     * @param lease of all claims: longer than all of this takes
     * @throws AssertionError with the whole story of the round, at the first difference
     */
    public static void compare(LockBackend store, LockBackend reference, int rounds, Duration lease) {
        CallByCall both = new CallByCall(store, reference, lease);
        try (store;
                reference) {
            store.start(CLIENT, new Nobody());
            reference.start(CLIENT, new Nobody());
            for (int round = 0; round < rounds; round++) {
                for (LockKind kind : LockKind.values()) {
                    both.new Round(round, kind).play();
                }
            }
        }
    }

    private static final class Nobody implements BackendListener {
        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

        @Override
        public void changed(Resource resource) {}

        @Override
        public void missed() {}
    }

    /** One resource, and everything that is done with it. */
    private final class Round {
        private final long seed;
        private final Random random;
        private final Resource resource;
        private final List<Claim> claims = new ArrayList<>();
        private final List<String> story = new ArrayList<>();
        private final Map<ClaimId, Long> tokens = new HashMap<>();

        Round(long seed, LockKind kind) {
            this.seed = seed;
            this.random = new Random(seed * 31 + kind.name().hashCode());
            int capacity = switch (kind) {
                case LOCK, ELECTION -> 1;
                case READ_WRITE -> Resource.ALL_READERS;
                case SEMAPHORE, LATCH -> 1 + random.nextInt(4);
            };
            this.resource = new Resource(kind, kind + ":" + seed, capacity);
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                int choice = random.nextInt(10);
                Claim claim = claims.isEmpty() || choice < 3 ? newClaim() : claims.get(random.nextInt(claims.size()));
                if (choice < 6 || isArrival(claim)) {
                    attempt(claim);
                } else if (choice < 9) {
                    release(claim);
                } else {
                    renew(claim);
                }
                assertThat(view(store)).as(this::toString).isEqualTo(view(reference));
            }
            claims.stream().filter(claim -> !isArrival(claim)).forEach(this::release);
            assertThat(view(store)).as(this::toString).isEqualTo(view(reference));
        }

        private Claim newClaim() {
            int weight = switch (resource.kind()) {
                case LOCK, ELECTION -> 1;
                case READ_WRITE -> random.nextInt(3) == 0 ? Resource.ALL_READERS : 1;
                case SEMAPHORE -> 1 + random.nextInt(resource.capacity());
                case LATCH -> random.nextInt(2);
            };
            boolean waits = weight == 0 || (resource.kind() != LockKind.LATCH && random.nextInt(4) > 0);
            Claim claim = Claim.builder(new ClaimId(CLIENT, ++sequence), resource, lease)
                    .weight(weight)
                    .tokens(1 + random.nextInt(16))
                    .waits(waits)
                    .label("a label")
                    .build();
            claims.add(claim);
            return claim;
        }

        /** Nobody renews or releases those: a store may keep them for good. */
        private boolean isArrival(Claim claim) {
            return resource.kind() == LockKind.LATCH && claim.weight() > 0;
        }

        private void attempt(Claim claim) {
            story.add("attempt " + claim.id().sequence() + " of " + claim.weight() + (claim.waits() ? "" : " once"));
            AttemptResult real = store.attempt(claim, lease);
            AttemptResult expected = reference.attempt(claim, lease);
            assertThat(real).as(this::toString).hasSameClassAs(expected);
            if (real instanceof AttemptResult.Granted granted) {
                checkToken(claim, granted.token());
            } else if (real instanceof AttemptResult.Queued queued && expected instanceof AttemptResult.Queued other) {
                assertThat(queued.place()).as(this::toString).isGreaterThanOrEqualTo(other.place());
            }
        }

        /** The same claim has the same token for as long as it holds; a new one has one that nobody had before. */
        private void checkToken(Claim claim, long token) {
            if (tokens.getOrDefault(claim.id(), 0L) != token) {
                assertThat(tokens).as(this::toString).doesNotContainValue(token);
            }
            tokens.put(claim.id(), token);
        }

        private void release(Claim claim) {
            story.add("release " + claim.id().sequence());
            assertThat(store.release(claim)).as(this::toString).isEqualTo(reference.release(claim));
        }

        private void renew(Claim claim) {
            story.add("renew " + claim.id().sequence());
            List<Renewal> renewals = List.of(new Renewal(claim, lease));
            assertThat(store.renew(renewals).get(0))
                    .as(this::toString)
                    .hasSameClassAs(reference.renew(renewals).get(0));
        }

        private String view(LockBackend side) {
            Optional<ResourceView> view = side.inspect(resource);
            return view.map(seen -> "held by "
                            + seen.holders().stream()
                                    .map(holder -> holder.claim().sequence() + "x" + holder.weight())
                                    .sorted()
                                    .collect(Collectors.joining(","))
                            + ", waited for by "
                            + seen.waiting().stream()
                                    .map(waiter -> waiter.claim().sequence() + "x" + waiter.weight())
                                    .collect(Collectors.joining(",")))
                    .orElse("nobody");
        }

        @Override
        public String toString() {
            return resource + " seed " + seed + ": " + story;
        }
    }
}
