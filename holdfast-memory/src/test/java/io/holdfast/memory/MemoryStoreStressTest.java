package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store against a plain model of its rules, call by call; and the store under threads while it forgets. */
@Tag("integration")
class MemoryStoreStressTest {
    private static final int CALLS_PER_KIND = 10_000;
    private static final int CLAIMS = 9;

    private final ManualTime time = TestClient.time();
    private final MemoryStore store = new MemoryStore(time);

    @ParameterizedTest
    @EnumSource
    void randomCalls_comparedWithTheModel_areAnsweredTheSame(LockKind kind) {
        Random random = new Random(kind.name().hashCode());
        TestClient client = new TestClient(store, "client", time);
        Resource resource = resource(kind, 3);
        NaiveResource model = new NaiveResource(resource, time.wallMillis() * 1000);
        for (int call = 0; call < CALLS_PER_KIND; call++) {
            Claim claim = randomClaim(kind, random);
            String step = "call " + call + " with " + claim;
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> assertThat(client.attempt(claim)).as(step).isEqualTo(model.attempt(claim));
                case 4, 5 -> {
                    boolean alive = model.isAlive(claim);
                    boolean known = model.release(claim);
                    // What has ended may be known for a while, or be forgotten already.
                    assertThat(client.release(claim)).as(step).isIn(known, known && alive);
                }
                case 6 ->
                    assertThat(client.renew(claim, claim.lease()))
                            .as(step)
                            .isEqualTo(model.renew(new Renewal(claim, claim.lease())));
                default -> pass(random, model);
            }
            assertThat(client.backend.inspect(resource)).as(step).isEqualTo(model.inspect(resource));
            assertThat(client.heardClaims()).as(step).isEqualTo(model.takeTold());
            client.heard.clear();
        }
    }

    @Test
    void manyThreads_whileNamesAreForgotten_neverHoldTwiceAndTokensGrow() {
        int names = 4;
        long[] lastTokens = new long[names]; // each guarded by the lock of that name, which is what is being tested
        int[] holders = new int[names];
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Integer>> runs = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                TestClient client = new TestClient(store, "client" + thread, time);
                Random random = new Random(thread);
                runs.add(CompletableFuture.supplyAsync(() -> hammer(client, random, lastTokens, holders), threads));
            }
            int granted = runs.stream()
                    .mapToInt(run -> run.orTimeout(60, TimeUnit.SECONDS).join())
                    .sum();
            assertThat(granted).isGreaterThan(1000);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Holds for a day, so that no lease ends; time goes on in steps of the retention, so that idle names are forgotten.
     */
    private int hammer(TestClient client, Random random, long[] lastTokens, int[] holders) {
        int granted = 0;
        for (int call = 0; call < 20_000; call++) {
            int name = random.nextInt(lastTokens.length);
            Claim claim =
                    client.claim(new Resource(LockKind.LOCK, "name" + name, 1), 1, Duration.ofDays(36_500), false);
            if (client.attempt(claim) instanceof AttemptResult.Granted grant) {
                granted++;
                assertThat(++holders[name]).isEqualTo(1);
                assertThat(grant.token()).isGreaterThan(lastTokens[name]);
                lastTokens[name] = grant.token();
                holders[name]--;
                assertThat(client.release(claim)).isTrue();
            }
            if (call % 10 == 0) {
                time.advance(MemoryStore.RETENTION);
                time.advanceWall(MemoryStore.RETENTION.multipliedBy(-2));
            }
        }
        return granted;
    }

    private void pass(Random random, NaiveResource model) {
        Duration[] steps = {
            Duration.ofMillis(1),
            Duration.ofMillis(400),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(40)
        };
        Duration step = steps[random.nextInt(random.nextInt(steps.length) + 1)]; // the longer the rarer
        time.advance(step);
        model.advance(step);
        if (random.nextInt(10) == 0) {
            Duration back = Duration.ofSeconds(-30);
            time.advanceWall(back);
            model.stepWall(back);
        }
    }

    private static Claim randomClaim(LockKind kind, Random random) {
        int sequence = random.nextInt(CLAIMS);
        Resource resource = resource(kind, random.nextInt(50) == 0 ? 4 : 3);
        int weight = switch (kind) {
            case LOCK, ELECTION -> 1;
            case READ_WRITE -> sequence % 3 == 0 ? Resource.ALL_READERS : 1;
            case SEMAPHORE -> sequence % 3 + 1;
            case LATCH -> sequence % 3;
        };
        Duration lease = Duration.ofSeconds(sequence % 2 == 0 ? 2 : 20);
        return Claim.builder(new ClaimId("client", sequence), resource, lease)
                .weight(weight)
                .tokens(sequence + 1)
                .waits(random.nextInt(4) > 0)
                .label("")
                .build();
    }

    private static Resource resource(LockKind kind, int capacity) {
        return switch (kind) {
            case LOCK, ELECTION -> new Resource(kind, "name", 1);
            case READ_WRITE -> new Resource(kind, "name", Resource.ALL_READERS);
            case SEMAPHORE, LATCH -> new Resource(kind, "name", capacity);
        };
    }
}
