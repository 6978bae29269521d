package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Leased permits: never more than there are, and none is lost for good.
 *
 * @since 0.1
 */
public abstract class SemaphoreContract extends Contract {

    /** For subclasses. */
    protected SemaphoreContract() {}

    @Test
    void acquire_asManyAsThereAre_areHeldTogetherAndNoMore() {
        String name = name("exports");
        LockClient client = client();
        DistributedSemaphore semaphore = client.semaphore(name, 3);
        assertThat(semaphore.name()).isEqualTo(name);
        assertThat(semaphore.permits()).isEqualTo(3);
        Lease one = semaphore.acquire();
        Lease two = semaphore.tryAcquire().orElseThrow();
        Lease three = client().semaphore(name, 3).tryAcquire().orElseThrow();

        assertThat(semaphore.tryAcquire()).isEmpty();
        assertThat(stranger().semaphore(name, 3).tryAcquire()).isEmpty();

        two.close();
        assertThat(one.isValid() && three.isValid()).isTrue();
        try (Lease again = stranger().semaphore(name, 3).tryAcquire().orElseThrow()) {
            assertThat(semaphore.tryAcquire()).isEmpty();
            assertThat(again.isValid()).isTrue();
        }
        one.close();
        three.close();
        assertAllFree(name, 3);
    }

    @Test
    void acquire_severalAtOnce_takesThatMany() throws InterruptedException {
        String name = name("exports");
        DistributedSemaphore semaphore = client().semaphore(name, 3);
        try (Lease two = semaphore.acquire(2)) {
            assertThat(semaphore.taking(2).tryAcquire()).isEmpty();
            assertThat(semaphore.taking(2).tryAcquire(millis(50))).isEmpty();
            assertThat(semaphore.tryAcquire(2)).isEmpty();
            assertThat(semaphore.tryAcquire(2, millis(50))).isEmpty();
            awaitWaiting(LockKind.SEMAPHORE, name, 0);
            try (Lease one = stranger().semaphore(name, 3).tryAcquire().orElseThrow()) {
                assertThat(semaphore.tryAcquire()).isEmpty();
                assertThat(one.isValid() && two.isValid()).isTrue();
            }
        }
        assertAllFree(name, 3);
    }

    @Test
    void acquire_everyStyle_takesAndGivesBack() throws InterruptedException {
        String name = name("styles");
        DistributedSemaphore semaphore = client().semaphore(name, 2);
        semaphore.acquire().close();
        semaphore.acquire(2).close();
        semaphore.acquireInterruptibly().close();
        semaphore.tryAcquire().orElseThrow().close();
        semaphore.tryAcquire(patience()).orElseThrow().close();
        semaphore.acquireAsync().join().close();
        semaphore.tryAcquireAsync(patience()).join().orElseThrow().close();
        semaphore.taking(2).acquireAsync().join().close();
        semaphore.taking(2).acquireInterruptibly().close();
        assertAllFree(name, 2);
    }

    @Test
    void acquire_allTaken_getsOneAfterARelease() {
        String name = name("waiting");
        Lease all = client().semaphore(name, 2).acquire(2);
        LockClient client = client();
        Crew.Hand<Boolean> one =
                crew().ask("one", () -> closedWasValid(client.semaphore(name, 2).acquire()));
        Crew.Hand<Boolean> two =
                crew().ask("two", () -> closedWasValid(client.semaphore(name, 2).acquire(2)));
        awaitContended(client, name, 2);
        assertThat(one.isDone() || two.isDone()).isFalse();

        all.close();

        assertThat(one.result() && two.result()).isTrue();
        assertAllFree(name, 2);
    }

    private static boolean closedWasValid(Lease lease) {
        boolean valid = lease.isValid();
        lease.close();
        return valid;
    }

    @Test
    void contention_manyClientsAndThreads_neverMoreThanThereAre() {
        String name = name("contended");
        Section section = new Section(3);
        for (int c = 0; c < 3; c++) {
            DistributedSemaphore semaphore = client().semaphore(name, 3);
            for (int t = 0; t < 4; t++) {
                crew().run("contender " + c + '.' + t, () -> {
                    for (int round = 0; round < 25; round++) {
                        try (Lease lease = semaphore.acquire()) {
                            assertThat(lease.isValid()).isTrue();
                            section.pass();
                        }
                    }
                });
            }
        }
        crew().finish();
        assertThat(section.passes()).isEqualTo(3 * 4 * 25);
        section.verify();
        assertAllFree(name, 3);
    }

    @TestWith(Ability.LINE)
    void acquire_largeRequestWaits_smallOnesBehindItDoNotStarveIt() {
        String name = name("large");
        Lease one = client().semaphore(name, 3).acquire();
        LockClient client = client();
        CompletableFuture<Lease> all = client.semaphore(name, 3).taking(3).acquireAsync();
        awaitWaiting(LockKind.SEMAPHORE, name, 1);

        assertThat(stranger().semaphore(name, 3).tryAcquire())
                .as("a permit past somebody who waits for all")
                .isEmpty();

        one.close();
        all.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join().close();
        assertAllFree(name, 3);
    }

    @Test
    void permits_moreThanThereAre_isRefused() {
        DistributedSemaphore semaphore = client().semaphore(name("three"), 3);
        assertThatThrownBy(() -> semaphore.taking(4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4")
                .hasMessageContaining("3");
        assertThatThrownBy(() -> semaphore.acquire(4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.taking(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.acquire(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void semaphore_withoutPermits_isRefused() {
        LockClient client = client();
        assertThatThrownBy(() -> client.semaphore(name("none"), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.semaphore(name("none"), -3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acquire_nameInUseWithAnotherNumber_isRefusedNamingBoth() {
        String name = name("mismatch");
        try (Lease held = client().semaphore(name, 17).acquire()) {
            DistributedSemaphore other = client().semaphore(name, 23);
            assertThatThrownBy(other::tryAcquire)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("17")
                    .hasMessageContaining("23");
            assertThatThrownBy(other::acquire).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.acquireAsync().join()).hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(held.isValid()).isTrue();
        }
        assertAllFree(name, 17);
    }

    @Test
    void acquire_holderCrashed_permitsComeBackWhenItsLeaseEnds() throws InterruptedException {
        String name = name("crashed");
        Resource resource = new Resource(LockKind.SEMAPHORE, name, 3);
        RawClient crashing = rawClient();
        crashing.grant(crashing.claim(resource, 2, millis(600)));
        crashing.close();

        Optional<Lease> all = client().semaphore(name, 3).taking(3).tryAcquire(patience());

        assertThat(all).as("all permits after a crash").isPresent();
        all.orElseThrow().close();
    }

    @Test
    void acquire_fixedLeaseRanOut_isLostAndThePermitComesBack() throws InterruptedException {
        String name = name("expired");
        Lease lost = client().semaphore(name, 1, fixedLease(300)).acquire();

        Optional<Lease> next = stranger().semaphore(name, 1).tryAcquire(patience());

        assertThat(next).isPresent();
        assertThat(lost.isValid()).isFalse();
        assertThat(next.orElseThrow().token()).isGreaterThan(lost.token());
        soon("the loss").until(() -> lost.lost().toCompletableFuture().isDone());
        assertThat(lost.lost().toCompletableFuture()).isCompletedWithValue(LostReason.EXPIRED);
        lost.close();
        assertThat(next.orElseThrow().isValid()).isTrue();
        next.orElseThrow().close();
    }

    @Test
    void renewal_shortLease_isRenewedAgainAndAgain() {
        String name = name("kept");
        Duration lease = millis(4_500);
        LockClient client = client();
        Lease all = client.semaphore(name, 2, defaults().lease(lease)).acquire(2);
        assertRenewed(client, LockKind.SEMAPHORE, name, lease, all::isValid);
        assertThat(stranger().semaphore(name, 2).tryAcquire()).isEmpty();
        all.close();
        assertAllFree(name, 2);
    }

    private void assertAllFree(String name, int permits) {
        try {
            Optional<Lease> all =
                    stranger().semaphore(name, permits).taking(permits).tryAcquire(patience());
            assertThat(all)
                    .as("all %s permits of %s for another client", permits, name)
                    .isPresent();
            all.orElseThrow().close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
