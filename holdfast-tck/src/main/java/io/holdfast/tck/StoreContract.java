package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rules of {@code LockBackend} for one holder: attempt, release, renew, tokens, looking. Without an engine.
 *
 * @since 0.1
 */
public abstract class StoreContract extends Contract {

    /** For subclasses. */
    protected StoreContract() {}

    private static Resource mutex(String word) {
        return new Resource(LockKind.LOCK, name(word), 1);
    }

    private Duration longLease() {
        return defaults().lease();
    }

    @Test
    void attempt_free_isGrantedForTheLease() {
        RawClient client = rawClient();
        Claim claim = client.claim(mutex("free"), 1, longLease());
        assertThat(client.attempt(claim)).isInstanceOfSatisfying(AttemptResult.Granted.class, granted -> {
            assertThat(granted.token()).isPositive();
            assertThat(granted.left()).isGreaterThanOrEqualTo(longLease());
        });
    }

    @Test
    void attempt_repeatedByTheHolder_changesNothing() {
        RawClient client = rawClient();
        Claim claim = client.claim(mutex("repeated"), 1, longLease(), 5, true);
        long token = client.grant(claim);

        for (int times = 0; times < 3; times++) {
            assertThat(client.attempt(claim)).isInstanceOfSatisfying(AttemptResult.Granted.class, granted -> {
                assertThat(granted.token()).isEqualTo(token);
                assertThat(granted.left()).isGreaterThanOrEqualTo(longLease());
            });
        }

        assertThat(observer().look(claim.resource()).holders()).hasSize(1);
        assertThat(client.release(claim)).isTrue();
        assertThat(observer().look(claim.resource()).holders()).isEmpty();
    }

    @Test
    void attempt_repeatedByTheHolder_lengthensTheLease() {
        RawClient client = rawClient();
        Claim shortClaim = client.claim(mutex("lengthened"), 1, millis(4_000));
        client.grant(shortClaim);
        Claim longClaim = shortClaim.toBuilder()
                .lease(longLease())
                .weight(1)
                .tokens(1)
                .waits(true)
                .leastToken(0)
                .build();

        client.grant(longClaim);
        assertThat(onlyHolder(longClaim).left()).isGreaterThan(millis(5_000));

        client.grant(shortClaim);
        assertThat(onlyHolder(longClaim).left()).as("after asking for less").isGreaterThan(millis(5_000));
    }

    @Test
    void attempt_heldAndNotWaiting_isBusyAndTakesNoPlace() {
        RawClient client = rawClient();
        Claim held = client.claim(mutex("busy"), 1, longLease());
        client.grant(held);
        Claim passing = client.claim(held.resource(), 1, longLease(), 1, false);

        assertThat(client.attempt(passing))
                .isInstanceOfSatisfying(
                        AttemptResult.Busy.class,
                        busy -> assertThat(busy.left()).isBetween(Duration.ZERO, longLease()));

        assertThat(observer().look(held.resource()).waiting()).isEmpty();
        client.release(held);
        assertThat(observer().look(held.resource()).holders()).isEmpty();
    }

    @Test
    void lease_ends_neverEarly() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Resource resource = mutex("not early");
        Duration lease = millis(400);
        for (int round = 0; round < 3; round++) {
            Claim claim = client.claim(resource, 1, lease);
            long sent = nanoTime();
            long token = client.grant(claim);
            Claim next = other.claim(resource, 1, longLease(), 1, false);

            soon("the end of the lease")
                    .pollInSameThread()
                    .until(() -> other.attempt(next) instanceof AttemptResult.Granted);

            assertThat(Duration.ofNanos(nanoTime() - sent)).isGreaterThanOrEqualTo(lease);
            assertThat(other.grant(next)).isGreaterThan(token);
            assertThat(client.renew(claim, lease)).isInstanceOf(RenewResult.Gone.class);
            assertThat(other.release(next)).isTrue();
        }
    }

    @Test
    void lease_clientCrashed_endsByItself() {
        Resource resource = mutex("crashed");
        RawClient crashing = rawClient();
        long token = crashing.grant(crashing.claim(resource, 1, millis(500)));
        crashing.close();

        RawClient client = rawClient();
        Claim claim = client.claim(resource, 1, longLease());
        soon("the end of the lease").until(() -> client.attempt(claim) instanceof AttemptResult.Granted);
        assertThat(client.grant(claim)).isGreaterThan(token);
    }

    @Test
    void release_repeated_saysSoAndChangesNothing() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim first = client.claim(mutex("released"), 1, longLease());
        client.grant(first);
        assertThat(client.release(first)).isTrue();
        assertThat(client.release(first)).isFalse();

        Claim second = other.claim(first.resource(), 1, longLease());
        other.grant(second);
        assertThat(client.release(first)).isFalse();

        assertThat(onlyHolder(second).claim()).isEqualTo(second.id());
    }

    @Test
    void release_unknownClaim_touchesNobody() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Claim held = client.claim(mutex("foreign"), 1, longLease());
        long token = client.grant(held);
        Claim waiting = other.claim(held.resource(), 1, longLease());
        other.attempt(waiting);
        int line = observer().look(held.resource()).waiting().size();

        assertThat(other.release(other.claim(held.resource(), 1, longLease()))).isFalse();
        assertThat(client.release(client.claim(held.resource(), 1, longLease())))
                .isFalse();
        assertThat(client.release(client.claim(mutex("nothing there"), 1, longLease())))
                .isFalse();

        assertThat(onlyHolder(held).claim()).isEqualTo(held.id());
        assertThat(observer().look(held.resource()).waiting()).hasSize(line);
        assertThat(client.grant(held)).isEqualTo(token);
    }

    @Test
    void renew_holder_lastsLongerAndIsNeverShortened() {
        RawClient client = rawClient();
        Claim claim = client.claim(mutex("renewed"), 1, millis(4_000));
        long token = client.grant(claim);

        assertThat(client.renew(claim, longLease()))
                .isInstanceOfSatisfying(
                        RenewResult.Renewed.class,
                        renewed -> assertThat(renewed.left()).isGreaterThanOrEqualTo(longLease()));
        assertThat(client.renew(claim, millis(200)))
                .isInstanceOfSatisfying(
                        RenewResult.Renewed.class,
                        renewed -> assertThat(renewed.left()).isGreaterThanOrEqualTo(millis(200)));

        assertThat(onlyHolder(claim).left()).isGreaterThan(millis(5_000));
        assertThat(client.grant(claim)).isEqualTo(token);
    }

    @Test
    void renew_notAHolder_isGoneAndChangesNothing() {
        RawClient client = rawClient();
        Claim held = client.claim(mutex("gone"), 1, longLease());
        Claim waiting = client.claim(held.resource(), 1, longLease());
        Claim unknown = client.claim(held.resource(), 1, longLease());
        Claim released = client.claim(mutex("gone"), 1, longLease());
        client.grant(held);
        client.attempt(waiting);
        client.grant(released);
        client.release(released);
        int line = observer().look(held.resource()).waiting().size();

        for (Claim claim : List.of(waiting, unknown, released)) {
            assertThat(client.renew(claim, longLease())).isInstanceOf(RenewResult.Gone.class);
        }

        assertThat(onlyHolder(held).claim()).isEqualTo(held.id());
        assertThat(observer().look(held.resource()).waiting()).hasSize(line);
        assertThat(observer().look(released.resource()).holders()).isEmpty();
    }

    @Test
    void renew_severalAtOnce_answersEachInOrder() {
        RawClient client = rawClient();
        Claim one = client.claim(mutex("one"), 1, longLease());
        Claim gone = client.claim(mutex("gone"), 1, longLease());
        Claim other = client.claim(new Resource(LockKind.SEMAPHORE, name("other"), 3), 2, longLease());
        Claim nothing = client.claim(other.resource(), 1, longLease());
        client.grant(one);
        client.grant(other);

        List<RenewResult> results = client.backend()
                .renew(List.of(
                        new Renewal(one, longLease()),
                        new Renewal(gone, longLease()),
                        new Renewal(other, longLease()),
                        new Renewal(nothing, longLease())));

        assertThat(results).hasSize(4);
        assertThat(results.get(0)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(results.get(1)).isInstanceOf(RenewResult.Gone.class);
        assertThat(results.get(2)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(results.get(3)).isInstanceOf(RenewResult.Gone.class);
        assertThat(client.backend().renew(List.of())).isEmpty();
    }

    @Test
    void token_block_belongsToTheClaim() {
        RawClient client = rawClient();
        Resource resource = mutex("block");
        Claim block = client.claim(resource, 1, longLease(), 256, true);
        long first = client.grant(block);
        assertThat(onlyHolder(block).token()).as("last token of the block").isEqualTo(first + 255);
        client.release(block);

        RawClient other = rawClient();
        assertThat(other.grant(other.claim(resource, 1, longLease()))).isGreaterThan(first + 255);
    }

    @TestWith(Ability.LINE)
    void token_blockOfAServedWaiter_belongsToTheClaim() {
        RawClient client = rawClient();
        Resource resource = mutex("block");
        Claim held = client.claim(resource, 1, longLease(), 4, true);
        Claim waiting = client.claim(resource, 1, longLease(), 16, true);
        long first = client.grant(held);
        client.queue(waiting);
        client.release(held);
        long second = client.grant(waiting);
        assertThat(second).isGreaterThan(first + 3);
        client.release(waiting);
        assertThat(client.grant(client.claim(resource, 1, longLease()))).isGreaterThan(second + 15);
    }

    @Test
    void inspect_holdersAndWaiters_areShownAsTheyAre() {
        RawClient client = rawClient();
        Claim held = client.claim(mutex("shown"), 1, longLease());
        long token = client.grant(held);

        ResourceView view = observer().look(held.resource());

        assertThat(view.resource()).isEqualTo(held.resource());
        assertThat(view.waiting()).isEmpty();
        ResourceView.Holder holder = onlyHolder(held);
        assertThat(holder.claim()).isEqualTo(held.id());
        assertThat(holder.weight()).isEqualTo(1);
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.label()).isEqualTo(held.label());
        assertThat(holder.left()).isPositive().isLessThanOrEqualTo(longLease());
    }

    @Test
    void inspect_expiredHolder_isLeftOut() {
        RawClient client = rawClient();
        RawClient observer = observer(); // opened before the lease begins
        Claim claim = client.claim(mutex("expired"), 1, millis(2_000));
        client.grant(claim);
        assertThat(observer.look(claim.resource()).holders()).hasSize(1);
        soon("the end of the lease")
                .until(() -> observer.look(claim.resource()).holders().isEmpty());
        always(
                "it is not seen any more", // nor renewed, but for the millisecond in which it ended
                millis(20),
                () -> observer.look(claim.resource()).holders().isEmpty());
        assertThat(client.renew(claim, longLease())).isInstanceOf(RenewResult.Gone.class);
    }

    @Test
    void inspect_unknownResource_isEmptyOrWithoutClaims() {
        Resource resource = mutex("unknown");
        assertThat(observer().backend().inspect(resource)).isEmpty();
        RawClient client = rawClient();
        assertThat(client.grant(client.claim(resource, 1, longLease()))).isPositive();
    }

    @Test
    void list_prefix_findsWhatBeginsWithIt() {
        RawClient client = rawClient();
        String prefix = name("list");
        Resource one = new Resource(LockKind.LOCK, prefix + ":one", 1);
        Resource two = new Resource(LockKind.SEMAPHORE, prefix + ":two", 5);
        Resource other = new Resource(LockKind.LOCK, "not " + prefix, 1);
        client.grant(client.claim(one, 1, longLease()));
        client.grant(client.claim(two, 3, longLease()));
        client.grant(client.claim(other, 1, longLease()));

        try (Stream<ResourceView> found = observer().backend().list(prefix)) {
            assertThat(found).extracting(ResourceView::resource).containsExactlyInAnyOrder(one, two);
        }
        try (Stream<ResourceView> found = observer().backend().list(prefix + ":t")) {
            assertThat(found)
                    .singleElement()
                    .satisfies(view -> assertThat(view.holders())
                            .singleElement()
                            .satisfies(holder -> assertThat(holder.weight()).isEqualTo(3)));
        }
        try (Stream<ResourceView> found = observer().backend().list("")) {
            assertThat(found).extracting(ResourceView::resource).contains(one, two, other);
        }
        try (Stream<ResourceView> found = observer().backend().list(prefix + ":three")) {
            assertThat(found).isEmpty();
        }
    }

    @Test
    void kinds_ofOneName_neverMeet() {
        RawClient client = rawClient();
        String name = name("kinds");
        for (LockKind kind : LockKind.values()) {
            int capacity = kind == LockKind.READ_WRITE ? Resource.ALL_READERS : 1;
            Resource resource = new Resource(kind, name, capacity);
            client.grant(client.claim(resource, capacity, longLease()));
            assertThat(observer().look(resource).holders())
                    .as("holders of %s", kind)
                    .hasSize(1);
        }
    }

    @TestWith(Ability.SURVIVAL)
    void close_twice_doesNothing() {
        RawClient client = rawClient();
        assertThat(client.backend().requestTimeout()).isPositive();
        Claim claim = client.claim(mutex("closed"), 1, longLease());
        client.grant(claim);
        client.close();
        client.close();
        assertThat(onlyHolder(claim).claim()).as("closing releases nothing").isEqualTo(claim.id());
    }

    private ResourceView.Holder onlyHolder(Claim claim) {
        List<ResourceView.Holder> holders = observer().look(claim.resource()).holders();
        assertThat(holders).as("holders of %s", claim.resource()).hasSize(1);
        return holders.get(0);
    }
}
