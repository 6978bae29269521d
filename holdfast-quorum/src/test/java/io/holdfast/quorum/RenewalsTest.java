package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.memory.MemoryStore;
import io.holdfast.quorum.QuorumClaim.State;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the answers of members mean for a claim that is held, on stores in memory. */
class RenewalsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Claim CLAIM = Claim.builder(
                    new ClaimId("client", 1), new Resource(LockKind.LOCK, "a", 1), LEASE)
            .waits(true)
            .label("me")
            .build();

    private final MemberIds ids = new MemberIds();
    private final List<QuorumClaim> forgotten = new ArrayList<>();
    private Runnable before = () -> {};
    private final Executor executor = task -> {
        before.run();
        task.run();
    };
    private final Members members =
            new Members(IntStream.range(0, 3).mapToObj(this::member).toList(), TimeSource.system());
    private final QuorumClaim quorumClaim = new QuorumClaim(CLAIM, 3, System.nanoTime());
    private final Renewals renewals =
            new Renewals(members, id -> quorumClaim, Duration.ofSeconds(1), executor, forgotten::add);

    private Member member(int index) {
        LockBackend backend = new MemoryStore().connect();
        backend.start("client", new Nobody());
        return new Member(index, "node " + index, backend, Duration.ofSeconds(1), executor, TimeSource.system());
    }

    /** Makes the claim held, as far as it knows, on these nodes. */
    private void heldOn(int... nodes) {
        for (int node : nodes) {
            Claim name = Claim.builder(ids.next(CLAIM), CLAIM.resource(), LEASE)
                    .label("me")
                    .build();
            members.get(node).backend().attempt(name, LEASE);
            quorumClaim.set(node, name, State.HELD);
        }
        quorumClaim.granted(1, LEASE, System.nanoTime());
    }

    private RenewResult renew() {
        return renewals.renew(List.of(new Renewal(CLAIM, LEASE))).get(0);
    }

    @Test
    void renew_enoughHold_renewed() {
        heldOn(0, 1);
        assertThat(renew()).isEqualTo(new RenewResult.Renewed(LEASE));
        heldOn(2);
        assertThat(renew()).isEqualTo(new RenewResult.Renewed(LEASE));
    }

    @Test
    void renew_tooFewHold_goneAndForgotten() {
        heldOn(0, 1);
        members.get(1).backend().release(name(1));
        assertThat(renew()).isInstanceOf(RenewResult.Gone.class);
        assertThat(forgotten).containsExactly(quorumClaim);
        assertThat(quorumClaim.state(1)).isEqualTo(State.NOTHING);
    }

    /** The lease is the one that enough members give, not the longest. */
    @Test
    void renew_oneLastsLonger_lastsAsLongAsEnoughDo() {
        heldOn(0, 1);
        Duration longer = LEASE.multipliedBy(2);
        members.get(0).backend().renew(List.of(new Renewal(name(0), longer)));
        assertThat(renew())
                .isInstanceOfSatisfying(
                        RenewResult.Renewed.class,
                        renewed -> assertThat(renewed.left()).isLessThan(longer.minusSeconds(5)));
    }

    /** A request that may still take effect is released again once it no longer can. */
    @Test
    void release_requestStillOnItsWay_isOwedAndPaidWhenDue() {
        heldOn(0, 1, 2);
        long nowNanos = System.nanoTime();
        quorumClaim.unsettled(2, nowNanos + LEASE.toNanos());
        Claim name = name(2);
        new Releases(members, Duration.ofSeconds(1)).end(quorumClaim, member -> true);
        assertThat(members.get(0).debts()).isZero();
        assertThat(members.get(2).debts()).isOne();

        members.get(2).backend().attempt(name, LEASE); // the late one
        members.get(2).pay(nowNanos);
        assertThat(members.get(2).debts()).as("not yet").isOne();
        members.get(2).pay(nowNanos + LEASE.toNanos());

        assertThat(members.get(2).debts()).isZero();
        assertThat(members.get(2).backend().inspect(CLAIM.resource()).stream().flatMap(view -> view.holders().stream()))
                .isEmpty();
    }

    @Test
    void release_notHeard_isOwed() {
        heldOn(0, 1, 2);
        members.get(1).backend().close();
        new Releases(members, Duration.ofSeconds(1)).end(quorumClaim, member -> true);
        assertThat(members.get(1).debts()).isOne();
        assertThat(quorumClaim.isNowhere()).isTrue();
    }

    /** Two of three belong to another claim: the third, which granted, must be given back. */
    @Test
    void attempt_lost_leavesNothingBehind() {
        Claim rival = Claim.builder(new ClaimId("rival", 1), CLAIM.resource(), LEASE)
                .label("rival")
                .build();
        members.get(0).backend().attempt(rival, LEASE);
        members.get(1).backend().attempt(rival, LEASE);
        Claim once = CLAIM.toBuilder()
                .lease(LEASE)
                .weight(1)
                .tokens(1)
                .waits(false)
                .label("me")
                .leastToken(0)
                .build();
        Duration patience = Duration.ofSeconds(1);
        Voting voting = new Voting(members, ids, new Releases(members, patience), patience, new Counters());

        assertThat(voting.attempt(quorumClaim, once, System.nanoTime() + LEASE.toNanos()))
                .isInstanceOf(AttemptResult.Busy.class);

        assertThat(members.get(2).backend().inspect(CLAIM.resource()).stream().flatMap(view -> view.holders().stream()))
                .isEmpty();
    }

    @Test
    void state_busyWhileAnEarlierRequestIsUnsettled_isNotNothing() {
        AttemptResult busy = new AttemptResult.Busy(LEASE);
        assertThat(Voting.state(busy, true)).isEqualTo(State.ASKED);
        assertThat(Voting.state(busy, false)).isEqualTo(State.NOTHING);
    }

    /** A member that comes up while the others are asked counts as missing, not as a refusal. */
    @Test
    void renew_memberComesUpMeanwhile_isNotGone() {
        heldOn(0, 1);
        members.get(1).failed(new IllegalStateException("down"));
        before = () -> members.get(1).probe();
        assertThat(renew())
                .as("asked all the same, because nobody else has it")
                .isInstanceOf(RenewResult.Renewed.class);
        heldOn(2);
        members.get(1).failed(new IllegalStateException("down"));
        members.get(2).backend().release(name(2));
        assertThat(renew()).as("one said no, one is not known").isInstanceOf(RenewResult.Failed.class);
        assertThat(forgotten).isEmpty();
    }

    /** The answer is about the name that was asked for; the claim may have another one by now. */
    @Test
    void renew_nameReplacedMeanwhile_isKept() {
        heldOn(0, 1, 2);
        members.get(2).backend().release(name(2));
        before = () -> {
            before = () -> {};
            heldOn(2);
        };
        assertThat(renew()).isInstanceOf(RenewResult.Renewed.class);
        assertThat(quorumClaim.state(2)).isEqualTo(State.HELD);
    }

    private static final class Nobody implements BackendListener {
        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

        @Override
        public void changed(Resource resource) {}

        @Override
        public void missed() {}
    }

    private Claim name(int node) {
        Claim name = quorumClaim.name(node);
        assertThat(name).isNotNull();
        return name;
    }
}
