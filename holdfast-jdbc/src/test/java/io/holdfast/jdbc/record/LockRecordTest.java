package io.holdfast.jdbc.record;

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
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rules of a row against the memory store, which is the reference: the same calls at the same instants, leases that
 * end in between, and after each call the same answer, the same holders and the same line. The record goes through its
 * bytes each time.
 */
class LockRecordTest {
    private static final int ROUNDS = 400;
    private static final int STEPS = 60;

    @ParameterizedTest
    @EnumSource(LockKind.class)
    void randomCalls_areAnsweredAsTheReferenceDoes(LockKind kind) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            new Round(seed, kind).play();
        }
    }

    private static final class Round implements BackendListener {
        private final ManualTime time = new ManualTime();
        private final LockBackend memory = new MemoryStore(time).connect();
        private final Random random;
        private final Resource resource;
        private final List<Claim> claims = new ArrayList<>();
        private final List<String> story = new ArrayList<>();
        private final List<ClaimId> told = new ArrayList<>();
        private LockRecord row;

        Round(long seed, LockKind kind) {
            random = new Random(seed * 31 + kind.name().length());
            story.add("seed " + seed);
            int capacity = switch (kind) {
                case LOCK, ELECTION -> 1;
                case READ_WRITE -> Resource.ALL_READERS;
                case SEMAPHORE, LATCH -> 1 + random.nextInt(4);
            };
            resource = new Resource(kind, "name", capacity);
            row = new LockRecord(kind, capacity, 0, List.of(), List.of());
            memory.start("client", this);
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                int choice = random.nextInt(12);
                Claim claim = claims.isEmpty() || choice < 3 ? newClaim() : claims.get(random.nextInt(claims.size()));
                if (choice < 6) {
                    attempt(claim);
                } else if (choice < 9) {
                    release(claim);
                } else if (choice < 10) {
                    renew(claim);
                } else {
                    pass(Duration.ofMillis(random.nextInt(2_000)));
                }
                assertThat(view(row.view(resource.name(), micros())))
                        .as(this::toString)
                        .isEqualTo(view(memory.inspect(resource)));
            }
        }

        private long micros() {
            return time.wallMillis() * 1_000;
        }

        private void reread() {
            row = RecordFormat.decode(resource.kind(), row.capacity(), row.lastToken(), RecordFormat.encode(row));
        }

        private Claim newClaim() {
            int weight = switch (resource.kind()) {
                case LOCK, ELECTION -> 1;
                case READ_WRITE -> random.nextInt(3) == 0 ? Resource.ALL_READERS : 1;
                case SEMAPHORE -> 1 + random.nextInt(resource.capacity());
                case LATCH -> random.nextInt(2);
            };
            boolean waits = weight == 0 || (resource.kind() != LockKind.LATCH && random.nextInt(4) > 0);
            long least = random.nextInt(5) == 0 ? micros() + random.nextInt(5_000) : 0;
            Claim claim = Claim.builder(
                            new ClaimId("client", claims.size() + 1),
                            resource,
                            Duration.ofMillis(500 + random.nextInt(20_000)))
                    .weight(weight)
                    .tokens(1 + random.nextInt(16))
                    .waits(waits)
                    .label("a label")
                    .leastToken(least)
                    .build();
            claims.add(claim);
            return claim;
        }

        private void attempt(Claim claim) {
            story.add("attempt " + claim.id().sequence() + " of " + claim.weight() + (claim.waits() ? "" : " once"));
            AttemptResult expected = memory.attempt(claim, Duration.ofSeconds(1));
            AttemptResult real = row.attempt(claim, micros());
            assertThat(real).as(this::toString).isEqualTo(normal(expected));
            tell();
        }

        /** What a row says of a latch that nobody holds differs: its places last longer. */
        private AttemptResult normal(AttemptResult result) {
            Duration none = Duration.ofNanos(Place.LIFE_MICROS * 1_000);
            if (result instanceof AttemptResult.Queued queued && row.holders().isEmpty()) {
                return new AttemptResult.Queued(queued.place(), none, queued.announced());
            }
            return result instanceof AttemptResult.Busy && row.holders().isEmpty()
                    ? new AttemptResult.Busy(none)
                    : result;
        }

        private void release(Claim claim) {
            story.add("release " + claim.id().sequence());
            boolean expected = memory.release(claim);
            assertThat(row.release(claim.id(), micros())).as(this::toString).isEqualTo(expected);
            tell();
        }

        private void renew(Claim claim) {
            Duration lease = Duration.ofMillis(1 + random.nextInt(20_000));
            story.add("renew " + claim.id().sequence());
            RenewResult expected =
                    memory.renew(List.of(new Renewal(claim, lease))).get(0);
            Duration left = row.renew(claim.id(), Micros.of(lease), micros());
            assertThat(left == null ? new RenewResult.Gone() : new RenewResult.Renewed(left))
                    .as(this::toString)
                    .isEqualTo(expected);
            tell();
        }

        /** Those who wait ask again, so that no place is lost: places last for different times. */
        private void pass(Duration some) {
            story.add("pass " + some);
            time.advance(some);
            claims.stream()
                    .filter(claim ->
                            row.line().stream().anyMatch(place -> place.id().equals(claim.id())))
                    .toList()
                    .forEach(this::attempt);
        }

        private void tell() {
            assertThat(row.served().stream().map(LockRecord.Served::id).toList())
                    .as(this::toString)
                    .isEqualTo(told);
            told.clear();
            reread();
        }

        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {
            told.add(claim);
        }

        @Override
        public void changed(Resource changed) {}

        @Override
        public void missed() {}

        private static String view(Optional<ResourceView> view) {
            return view.map(seen -> "held by "
                            + seen.holders().stream()
                                    .map(holder -> holder.claim().sequence() + "x" + holder.weight() + "@"
                                            + holder.token() + " for " + holder.left())
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
            return resource + ": " + story;
        }
    }
}
