package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;

/**
 * The rules of {@code LockBackend} for those who wait: places, hand-over, no barging, weights. Without an engine.
 *
 * @since 0.1
 */
public abstract class LineContract extends Contract {

    /** For subclasses. */
    protected LineContract() {}

    private static Resource mutex(String word) {
        return new Resource(LockKind.LOCK, name(word), 1);
    }

    private Duration longLease() {
        return defaults().lease();
    }

    private List<ClaimId> waiting(Resource resource) {
        return observer().look(resource).waiting().stream()
                .map(ResourceView.Waiting::claim)
                .toList();
    }

    private List<ClaimId> holders(Resource resource) {
        return observer().look(resource).holders().stream()
                .map(ResourceView.Holder::claim)
                .toList();
    }

    @TestWith(Ability.LINE)
    void attempt_held_takesAPlaceAndKeepsIt() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim held = client.claim(mutex("line"), 1, longLease());
        Claim second = other.claim(held.resource(), 1, longLease());
        Claim third = client.claim(held.resource(), 1, longLease());
        client.grant(held);

        assertThat(other.queue(second).place()).isEqualTo(1);
        assertThat(client.queue(third).place()).isEqualTo(2);
        assertThat(other.queue(second).place()).as("asked again").isEqualTo(1);
        assertThat(client.queue(third).place()).as("asked again").isEqualTo(2);

        assertThat(waiting(held.resource())).containsExactly(second.id(), third.id());
        ResourceView.Waiting first = observer().look(held.resource()).waiting().get(0);
        assertThat(first.label()).isEqualTo(second.label());
        assertThat(first.weight()).isEqualTo(1);
        assertThat(holders(held.resource())).containsExactly(held.id());
    }

    @TestWith(Ability.LINE)
    void release_othersWait_theFirstIsServed() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim held = client.claim(mutex("served"), 1, longLease());
        Claim second = other.claim(held.resource(), 1, longLease());
        Claim third = client.claim(held.resource(), 1, longLease());
        long token = client.grant(held);
        other.queue(second);
        client.queue(third);

        assertThat(client.release(held)).isTrue();

        assertThat(client.queue(third).place()).isEqualTo(1);
        long next = other.grant(second);
        assertThat(next).isGreaterThan(token);
        assertThat(holders(held.resource())).containsExactly(second.id());
        assertThat(waiting(held.resource())).containsExactly(third.id());
        assertThat(client.release(held)).as("a repeated release").isFalse();
        assertThat(other.grant(second)).isEqualTo(next);
    }

    @TestWith({Ability.LINE, Ability.ANNOUNCEMENTS})
    void release_waiterIsAnnounced_hearsOfIt() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim held = client.claim(mutex("announced"), 1, longLease());
        Claim second = other.claim(held.resource(), 1, longLease());
        client.grant(held);
        soon("a line to the waiter").until(() -> other.queue(second).announced());

        client.release(held);

        soon("the announcement").until(() -> other.wasToldOf(second));
        long token = other.grant(second);
        assertThat(other.grantsOf(second)).allSatisfy(grant -> {
            assertThat(grant.token()).isEqualTo(token);
            assertThat(grant.left()).isPositive();
            assertThat(grant.startNanos() - grant.heardNanos())
                    .as("start of the lease")
                    .isNotPositive();
        });
    }

    @TestWith(Ability.LINE)
    void attempt_lineNotEmpty_doesNotOvertake() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim held = client.claim(mutex("overtaking"), 1, longLease());
        Claim waiting = other.claim(held.resource(), 1, longLease());
        client.grant(held);
        other.queue(waiting);
        client.release(held);

        assertThat(client.attempt(client.claim(held.resource(), 1, longLease(), 1, false)))
                .as("a claim that does not wait")
                .isInstanceOf(AttemptResult.Busy.class);
        assertThat(client.attempt(client.claim(held.resource(), 1, longLease())))
                .as("a claim that waits")
                .isInstanceOf(AttemptResult.Queued.class);
        other.grant(waiting);
    }

    @TestWith(Ability.LINE)
    void attempt_leaseRanOutAndLineNotEmpty_doesNotOvertake() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim held = client.claim(mutex("overtaking"), 1, millis(600));
        Claim waiting = other.claim(held.resource(), 1, longLease());
        Claim newcomer = client.claim(held.resource(), 1, longLease(), 1, false);
        client.grant(held);
        other.queue(waiting);

        soon("the end of the lease").until(() -> !holders(held.resource()).contains(held.id()));
        assertThat(client.attempt(newcomer)).isInstanceOf(AttemptResult.Busy.class);

        soon("the one who waited").until(() -> other.attempt(waiting) instanceof AttemptResult.Granted);
        assertThat(holders(held.resource())).containsExactly(waiting.id());
    }

    @TestWith(Ability.LINE)
    void release_whileWaiting_leavesTheLine() {
        RawClient client = rawClient();
        Claim held = client.claim(mutex("left"), 1, longLease());
        Claim second = client.claim(held.resource(), 1, longLease());
        Claim third = client.claim(held.resource(), 1, longLease());
        client.grant(held);
        client.queue(second);
        client.queue(third);

        assertThat(client.release(second)).isTrue();
        assertThat(client.release(second)).isFalse();

        assertThat(waiting(held.resource())).containsExactly(third.id());
        assertThat(client.queue(third).place()).isEqualTo(1);
        client.release(held);
        client.grant(third);
        assertThat(holders(held.resource())).containsExactly(third.id());
    }

    @TestWith(Ability.LINE)
    void place_waiterCrashed_doesNotBlockForEver() {
        RawClient client = rawClient();
        RawClient crashing = rawClient();
        Claim held = client.claim(mutex("dead waiter"), 1, longLease());
        client.grant(held);
        crashing.queue(crashing.claim(held.resource(), 1, millis(500)));
        crashing.close();
        client.release(held);

        Claim next = client.claim(held.resource(), 1, longLease());
        soon("the place of the dead is given up").until(() -> client.attempt(next) instanceof AttemptResult.Granted);
        assertThat(holders(held.resource())).containsExactly(next.id());
    }

    @TestWith(Ability.LINE)
    void capacity_severalFit_areHeldTogether() {
        RawClient client = rawClient();
        Resource resource = new Resource(LockKind.SEMAPHORE, name("weights"), 3);
        Claim two = client.claim(resource, 2, longLease());
        Claim one = client.claim(resource, 1, longLease());
        Claim more = client.claim(resource, 1, longLease());
        client.grant(two);
        client.grant(one);
        client.queue(more);
        assertThat(holders(resource)).containsExactlyInAnyOrder(two.id(), one.id());

        client.release(two);

        client.grant(more);
        assertThat(holders(resource)).containsExactlyInAnyOrder(one.id(), more.id());
        assertThat(observer().look(resource).holders())
                .extracting(ResourceView.Holder::weight)
                .containsExactlyInAnyOrder(1, 1);
    }

    @TestWith(Ability.LINE)
    void capacity_firstInLineDoesNotFit_nobodyOvertakesIt() {
        RawClient client = rawClient();
        Resource resource = new Resource(LockKind.SEMAPHORE, name("large"), 3);
        Claim one = client.claim(resource, 1, longLease());
        Claim all = client.claim(resource, 3, longLease());
        Claim small = client.claim(resource, 1, longLease());
        client.grant(one);
        client.queue(all);

        assertThat(client.queue(small).place()).isEqualTo(2);
        assertThat(client.attempt(client.claim(resource, 1, longLease(), 1, false)))
                .isInstanceOf(AttemptResult.Busy.class);

        client.release(one);
        client.grant(all);
        assertThat(holders(resource)).containsExactly(all.id());
        client.release(all);
        client.grant(small);
    }

    @TestWith(Ability.LINE)
    void capacity_largeClaimLeavesTheLine_thoseBehindItAreServed() {
        RawClient client = rawClient();
        Resource resource = new Resource(LockKind.READ_WRITE, name("cancelled writer"), Resource.ALL_READERS);
        Claim reader = client.claim(resource, 1, longLease());
        Claim writer = client.claim(resource, Resource.ALL_READERS, longLease());
        Claim second = client.claim(resource, 1, longLease());
        Claim third = client.claim(resource, 1, longLease());
        client.grant(reader);
        client.queue(writer);
        client.queue(second);
        client.queue(third);

        client.release(writer);

        assertThat(holders(resource)).containsExactlyInAnyOrder(reader.id(), second.id(), third.id());
        client.grant(second);
        client.grant(third);
    }

    @TestWith(Ability.LINE)
    void capacity_writerReleases_allReadersAtTheHeadAreServedTogether() {
        RawClient client = rawClient();
        Resource resource = new Resource(LockKind.READ_WRITE, name("readers"), Resource.ALL_READERS);
        Claim writer = client.claim(resource, Resource.ALL_READERS, longLease());
        Claim one = client.claim(resource, 1, longLease());
        Claim two = client.claim(resource, 1, longLease());
        Claim nextWriter = client.claim(resource, Resource.ALL_READERS, longLease());
        Claim late = client.claim(resource, 1, longLease());
        client.grant(writer);
        for (Claim claim : List.of(one, two, nextWriter, late)) {
            client.queue(claim);
        }

        client.release(writer);

        assertThat(holders(resource)).containsExactlyInAnyOrder(one.id(), two.id());
        assertThat(waiting(resource)).containsExactly(nextWriter.id(), late.id());
        assertThat(client.grant(one)).isNotEqualTo(client.grant(two));
    }

    @TestWith(Ability.LINE)
    void capacity_tokensOfServedWaiters_keepTheirOrder() {
        RawClient client = rawClient();
        Resource resource = new Resource(LockKind.SEMAPHORE, name("tokens"), 2);
        Claim all = client.claim(resource, 2, longLease(), 7, true);
        Claim one = client.claim(resource, 1, longLease(), 5, true);
        Claim two = client.claim(resource, 1, longLease(), 3, true);
        long first = client.grant(all);
        client.queue(one);
        client.queue(two);
        client.release(all);

        long second = client.grant(one);
        long third = client.grant(two);
        assertThat(second).isGreaterThan(first + 6);
        assertThat(third).isGreaterThan(second + 4);
        assertThat(client.grant(one)).as("asked again").isEqualTo(second);
        assertThat(client.grant(two)).as("asked again").isEqualTo(third);
    }
}
