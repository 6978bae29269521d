package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts against the memory store, which is the reference: the same calls in the same order, and after each of
 * them the same holders, the same line, the same answer. Nothing expires here, so the two can be compared step by step.
 */
@Tag("integration")
class RedisReferenceTest {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final int ROUNDS = 60;
    private static final int STEPS = 60;

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void randomCalls_everyKind_areAnsweredAsTheReferenceDoes(RedisVersion version) {
        try (RedisServer server = RedisServer.start(version)) {
            Side redis = new Side(RedisLocks.builder(server.uri()).newBackend());
            Side memory = new Side(new MemoryStore().connect());
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    for (LockKind kind : LockKind.values()) {
                        new Round(round, kind, redis, memory).play();
                    }
                }
            } finally {
                redis.backend.close();
                memory.backend.close();
            }
        }
    }

    /** One of the two stores. */
    private static final class Side {
        private final LockBackend backend;

        Side(LockBackend backend) {
            this.backend = backend;
            backend.start("client", new BackendListener() {
                @Override
                public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

                @Override
                public void changed(Resource resource) {}

                @Override
                public void missed() {}
            });
        }
    }

    private static final class Round {
        private static long sequence;

        private final long seed;
        private final Random random;
        private final Resource resource;
        private final Side redis;
        private final Side memory;
        private final List<Claim> claims = new ArrayList<>();
        private final List<String> story = new ArrayList<>();
        private final Map<String, Map<ClaimId, Long>> tokens = new HashMap<>();

        Round(long seed, LockKind kind, Side redis, Side memory) {
            this.seed = seed;
            this.random = new Random(seed * 31 + kind.name().hashCode());
            int capacity = switch (kind) {
                case LOCK, ELECTION -> 1;
                case READ_WRITE -> Resource.ALL_READERS;
                case SEMAPHORE, LATCH -> 1 + random.nextInt(4);
            };
            this.resource = new Resource(kind, kind + ":" + seed, capacity);
            this.redis = redis;
            this.memory = memory;
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                int choice = random.nextInt(10);
                Claim claim = claims.isEmpty() || choice < 3 ? newClaim() : claims.get(random.nextInt(claims.size()));
                if (choice < 6) {
                    attempt(claim);
                } else if (choice < 9) {
                    story.add("release " + claim.id().sequence());
                    assertThat(redis.backend.release(claim))
                            .as(this::toString)
                            .isEqualTo(memory.backend.release(claim));
                } else {
                    renew(claim);
                }
                assertThat(view(redis)).as(this::toString).isEqualTo(view(memory));
            }
            claims.forEach(claim -> {
                redis.backend.release(claim);
                memory.backend.release(claim);
            });
            assertThat(redis.backend.inspect(resource)).as(this::toString).isEmpty();
        }

        private Claim newClaim() {
            int weight = switch (resource.kind()) {
                case LOCK, ELECTION -> 1;
                case READ_WRITE -> random.nextInt(3) == 0 ? Resource.ALL_READERS : 1;
                case SEMAPHORE -> 1 + random.nextInt(resource.capacity());
                case LATCH -> random.nextInt(2);
            };
            boolean waits = weight == 0 || (resource.kind() != LockKind.LATCH && random.nextInt(4) > 0);
            Claim claim = Claim.builder(new ClaimId("client", ++sequence), resource, LEASE)
                    .weight(weight)
                    .tokens(1 + random.nextInt(16))
                    .waits(waits)
                    .label("a label")
                    .build();
            claims.add(claim);
            return claim;
        }

        private void attempt(Claim claim) {
            story.add("attempt " + claim.id().sequence() + " of " + claim.weight() + (claim.waits() ? "" : " once"));
            AttemptResult real = redis.backend.attempt(claim, LEASE);
            AttemptResult expected = memory.backend.attempt(claim, LEASE);
            assertThat(real).as(this::toString).hasSameClassAs(expected);
            if (real instanceof AttemptResult.Granted granted) {
                checkToken("redis", claim, granted.token());
            } else if (real instanceof AttemptResult.Queued queued && expected instanceof AttemptResult.Queued other) {
                assertThat(queued.place()).as(this::toString).isGreaterThanOrEqualTo(other.place());
            }
        }

        /** The same claim has the same token for as long as it holds; a new one has a greater one than any before. */
        private void checkToken(String side, Claim claim, long token) {
            Map<ClaimId, Long> known = tokens.computeIfAbsent(side, made -> new HashMap<>());
            long before = known.getOrDefault(claim.id(), 0L);
            if (before != token) {
                known.forEach((id, other) ->
                        assertThat(other).as("token of %s in %s", id, this).isNotEqualTo(token));
            }
            known.put(claim.id(), token);
        }

        private void renew(Claim claim) {
            story.add("renew " + claim.id().sequence());
            List<Renewal> renewals = List.of(new Renewal(claim, LEASE));
            RenewResult real = redis.backend.renew(renewals).get(0);
            assertThat(real)
                    .as(this::toString)
                    .hasSameClassAs(memory.backend.renew(renewals).get(0));
        }

        private String view(Side side) {
            Optional<ResourceView> view = side.backend.inspect(resource);
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
