package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;

/**
 * What a backend makes of a bad network: replies that are lost, and requests that come late. Nothing of it may change
 * who holds a lock for long. Requests that come very late and all at once: {@link BurstContract}.
 *
 * @since 0.1
 */
public abstract class WireContract extends WiredTests {
    /** How many trips a fault may miss, because the backend has others under way. */
    private static final int TRIES = 10;

    /** For subclasses. */
    protected WireContract() {}

    private RawClient wiredRaw() {
        return answered(() -> rawClient(wire().newBackend(TimeSource.system()), TimeSource.system()));
    }

    private static Resource mutex(String name) {
        return new Resource(LockKind.LOCK, name, 1);
    }

    /** Makes a trip whose reply is lost. Tells whether it was this one, and not another of the same client. */
    private boolean losesItsReply(Runnable trip) {
        wire().dropNextReply();
        try {
            trip.run();
            return false;
        } catch (RuntimeException unanswered) {
            return true;
        }
    }

    private void assertOnlyHolder(Claim claim) {
        assertThat(look(LockKind.LOCK, claim.resource().name()).holders())
                .extracting(ResourceView.Holder::claim)
                .containsExactly(claim.id());
    }

    private void assertNobodyHolds(String name) {
        assertThat(look(LockKind.LOCK, name).holders()).isEmpty();
    }

    // ---- lost replies

    @TestWith(Ability.WIRE)
    void attempt_replyLost_sameClaimGetsTheSameTokenOnce() {
        RawClient client = wiredRaw();
        Resource resource = mutex(name("attempt"));
        long last = 0;
        boolean lost = false;
        for (int tries = 0; tries < TRIES && !lost; tries++) {
            Claim claim = client.claim(resource, 1, longLease(), 3, true);
            lost = losesItsReply(() -> client.attempt(claim));
            long token = answered(() -> client.grant(claim));
            assertThat(token).isGreaterThan(last);
            assertThat(answered(() -> client.grant(claim))).isEqualTo(token);
            assertOnlyHolder(claim);
            assertThat(look(LockKind.LOCK, resource.name()).holders().get(0).token())
                    .as("last token of the block")
                    .isEqualTo(token + 2);
            answered(() -> client.release(claim));
            assertNobodyHolds(resource.name());
            last = token + 2;
        }
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void acquire_replyLost_holdsOnceAndLeavesNothing() throws InterruptedException {
        LockClient client = wiredClient(defaults());
        String name = name("acquire");
        for (int round = 0; round < 3; round++) {
            wire().dropNextReply();
            try (Lease lease = client.lock(name).tryAcquire(patience()).orElseThrow()) {
                assertThat(lease.isValid()).isTrue();
                assertHeld(name);
            }
            assertFree(name);
        }
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void tryAcquire_replyLost_leavesNothing() {
        LockClient client = wiredClient(defaults());
        String name = name("one try");
        for (int round = 0; round < 3; round++) {
            wire().dropNextReply();
            try {
                client.lock(name).tryAcquire().ifPresent(Lease::close);
            } catch (LockStoreException unknown) {
                assertThat(unknown).hasMessageContaining(name);
            }
            assertFree(name);
        }
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void release_replyLost_isFreeAndRepeatingItHarmsNobody() {
        RawClient client = wiredRaw();
        String name = name("release");
        boolean lost = false;
        for (int tries = 0; tries < TRIES && !lost; tries++) {
            Claim claim = client.claim(mutex(name), 1, longLease());
            answered(() -> client.grant(claim));
            lost = losesItsReply(() -> client.release(claim));
            if (lost) {
                soon("its end").until(() -> look(LockKind.LOCK, name).holders().isEmpty());
            }
            try (Lease next = stranger().lock(name).acquire()) {
                answered(() -> client.release(claim));
                assertThat(answered(() -> client.renew(claim, longLease()))).isInstanceOf(RenewResult.Gone.class);
                assertThat(next.isValid()).isTrue();
                assertHeldByStranger(name);
            }
        }
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void close_replyLost_isFreeForOthers() {
        LockClient client = wiredClient(defaults());
        String name = name("close");
        for (int round = 0; round < 3; round++) {
            Lease lease = client.lock(name).acquire();
            wire().dropNextReply();
            lease.close();
            assertFree(name);
        }
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void renew_replyLost_isRenewedAllTheSame() {
        RawClient client = wiredRaw();
        Claim claim = client.claim(mutex(name("renew")), 1, longLease());
        long token = answered(() -> client.grant(claim));
        boolean lost = false;
        for (int tries = 0; tries < TRIES && !lost; tries++) {
            wire().dropNextReply();
            try {
                lost = client.renew(claim, longLease()) instanceof RenewResult.Failed;
            } catch (RuntimeException unanswered) {
                lost = true;
            }
            soon("a renewal")
                    .ignoreExceptions()
                    .until(() -> client.renew(claim, longLease()) instanceof RenewResult.Renewed);
        }
        assertOnlyHolder(claim);
        assertThat(answered(() -> client.grant(claim))).isEqualTo(token);
        assertThat(wire().faults()).isPositive();
    }

    // ---- late requests

    /** Nobody holds what was asked for so late, and given up. */
    @TestWith(Ability.WIRE)
    void attempt_heldBeyondItsTimeout_leavesNoHolder() {
        RawClient client = wiredRaw();
        Claim claim = client.claim(mutex(name("late")), 1, longLease());
        answered(() -> client.release(client.claim(mutex(name("first")), 1, longLease()))); // there is a connection now
        Duration hold = beyondTheTimeout();
        long heldNanos = TimeSource.system().nanoTime() + hold.plus(timeout()).toNanos();
        wire().holdRequests(hold);

        assertThatThrownBy(() -> client.backend().attempt(claim, timeout())).isInstanceOf(RuntimeException.class);
        try {
            client.release(claim);
        } catch (RuntimeException unanswered) {
            assertThat(wire().faults()).isPositive();
        }

        soon("all that was held has arrived").until(() -> TimeSource.system().nanoTime() - heldNanos > 0);
        soon("nobody holds it")
                .until(() ->
                        look(LockKind.LOCK, claim.resource().name()).holders().isEmpty());
        assertFree(claim.resource().name());
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void attempt_heldBeyondItsTimeout_disturbsNobody() {
        LockClient client = wiredClient(defaults());
        client.lock(name("warm")).acquire().close();
        String name = name("late attempt");
        Duration hold = beyondTheTimeout();
        wire().holdRequests(hold);

        assertThatThrownBy(() -> client.lock(name).tryAcquire()).isInstanceOf(LockStoreException.class);

        assertStrangerUndisturbed(name, hold);
        assertFree(name);
        try (Lease again = answered(() -> client.lock(name).acquire())) {
            assertThat(again.isValid()).isTrue();
        }
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void release_heldBeyondItsTimeout_endsOnlyItsOwnClaim() {
        LockClient client = wiredClient(defaults());
        String name = name("late release");
        Lease lease = client.lock(name).acquire();
        Duration hold = beyondTheTimeout();
        wire().holdRequests(hold);

        lease.close();

        assertStrangerUndisturbed(name, hold);
        assertFree(name);
        assertThat(wire().faults()).isPositive();
    }

    @TestWith(Ability.WIRE)
    void renewal_heldBeyondItsLease_isLostAndDisturbsNobody() {
        LockClient client = wiredClient(lease(900));
        String name = name("late renewal");
        Lease lease = client.lock(name).acquire();
        Duration hold = beyondTheTimeout().plus(millis(900));
        wire().holdRequests(hold);

        soon("the loss").until(() -> !lease.isValid());

        assertStrangerUndisturbed(name, hold);
        assertThat(lease.isValid()).isFalse();
        assertFree(name);
        assertThat(wire().faults()).isPositive();
    }

    /** So long that a request and the release after it have both been given up before they arrive. */
    private Duration beyondTheTimeout() {
        return timeout().multipliedBy(3);
    }

    /** Another client gets the lock, and has it alone while everything arrives that was on its way. */
    private void assertStrangerUndisturbed(String name, Duration hold) {
        try (Lease next = stranger().lock(name).acquire()) {
            always("the next holder is alone", hold.plus(timeout()), () -> next.isValid() && isHeldByStranger(name));
        }
    }

    private void assertHeldByStranger(String name) {
        assertThat(isHeldByStranger(name)).as("held by the next one only").isTrue();
    }

    private boolean isHeldByStranger(String name) {
        List<ResourceView.Holder> holders = look(LockKind.LOCK, name).holders();
        return holders.size() == 1
                && holders.get(0).claim().client().equals(stranger().id());
    }
}
