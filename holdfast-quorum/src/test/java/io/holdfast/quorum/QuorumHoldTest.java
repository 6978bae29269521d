package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.Safety;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a holder has on each node, and what happens when a node misses a request, a release or an arrival. */
@Tag("integration")
class QuorumHoldTest {
    @AutoClose
    private Rig rig;

    @BeforeEach
    void open() {
        rig = new Rig(3);
    }

    /** A node that forgot opens after the longest lease, so a lease must not become longer than that later either. */
    @Test
    void extend_beyondTheLongestLease_refusedAndTheLeaseGoesOn() {
        Lease lease = rig.client().lock("a").acquire();
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(20)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a lease of 20s for 'a' is longer than 5s");
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    @Test
    void held_nodeDidNotHearTheRequest_toppedUpWhenItHears() {
        LockClient client = rig.proxied();
        client.lock("first").acquire().close();
        rig.proxy(2).cutRequests();
        Lease lease = client.lock("a").acquire();
        assertThat(rig.holdersOf("a")).isEqualTo(2);
        rig.proxy(2).heal();
        Rig.soon("the third node").until(() -> rig.holdersOf("a") == 3);
        assertThat(lease.isValid()).isTrue();
        lease.close();
        assertThat(rig.holdersOf("a")).isZero();
    }

    @Test
    void held_forgottenByOneNode_toppedUpThere() {
        Lease lease = rig.client().lock("a").acquire();
        rig.server(1).command("DEL", "holdfast:lock:{a}");
        Rig.soon("the second node").until(() -> rig.holdersOf("a") == 3);
        assertThat(lease.isValid()).isTrue();
    }

    /**
     * A lost claim is not released by its holder, so the quorum must: it must not be claimed again for a holder that is
     * gone.
     */
    @Test
    void held_forgottenByAllNodes_lostAndNotClaimedAgain() {
        Lease lease = rig.client().lock("a").acquire();
        for (int node = 0; node < 3; node++) {
            rig.server(node).command("DEL", "holdfast:lock:{a}");
        }
        assertThat(Rig.get(lease.lost())).isEqualTo(LostReason.FORGOTTEN);
        Rig.soon("nothing is left").until(() -> rig.holdersOf("a") == 0);
        Rig.always("nobody has it", Duration.ofMillis(700), () -> rig.holdersOf("a") == 0);
    }

    @Test
    void held_cutOffFromTheMajority_lostByItsDeadline() {
        Lease lease = rig.proxied().lock("a").acquire();
        rig.proxy(0).cutRequests();
        rig.proxy(1).cutRequests();
        assertThat(Rig.get(lease.lost())).isIn(LostReason.STORE_UNREACHABLE, LostReason.EXPIRED);
        assertThat(Rig.take(rig.client(), "a").token()).isGreaterThan(lease.token());
    }

    /** A claim that holds only the leader, here because the leader missed a release, does not block others for long. */
    @Test
    void acquire_leaderDidNotHearTheRelease_grantedLongBeforeThatLeaseEnds() {
        LockClient client = rig.proxied();
        Lease lease = client.lock("a").acquire();
        for (int node = 0; node < 3; node++) {
            rig.proxy(node).holdRequests(request -> request.contains("holdfast:lock:{a}") && request.size() == 6);
        }
        rig.proxy(1).heal();
        rig.proxy(2).heal();
        lease.close();
        assertThat(rig.isHeldOn(rig.server(0), "a")).isTrue();
        LockClient other = rig.client();
        Rig.take(other, "a").close();
        assertThat(rig.isHeldOn(rig.server(0), "a")).as("by the first one").isTrue();
        Lease waited = Rig.get(other.lock("a").acquireAsync());
        assertThat(waited.token()).isGreaterThan(lease.token());
        waited.close();
    }

    /** Each arrival is missing on another node, so that no node has seen all of them. */
    @Test
    void latch_arrivalsMissedByDifferentNodes_opens() throws InterruptedException {
        for (int missing = 0; missing < 3; missing++) {
            reachingAllBut(missing).latch("start", 3).countDown();
        }
        assertThat(rig.client().latch("start", 3).count()).isZero();
        assertThat(rig.client().latch("start", 3).await(Duration.ofSeconds(10))).isTrue();
    }

    /** Three clients, each without a different node: each would find a majority with a free permit. */
    @Test
    void semaphore_majoritiesWouldAdmitOneTooMany_needsMore() {
        List<Optional<Lease>> permits = new ArrayList<>();
        for (int missing = 0; missing < 3; missing++) {
            LockClient client = reachingAllBut(missing);
            assertThatThrownBy(() -> permits.add(client.semaphore("s", 2).tryAcquire()))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("and 3 are needed");
        }
        assertThat(permits).isEmpty();
        try (Lease one = rig.client().semaphore("s", 2).acquire();
                Lease two = rig.client().semaphore("s", 2).acquire()) {
            assertThat(rig.client().semaphore("s", 2).tryAcquire()).isEmpty();
            assertThat(two.token()).isNotEqualTo(one.token());
        }
    }

    /**
     * The record ends with its lease, and the node whose clock made the token is gone: the others still remember it.
     */
    @Tag("full")
    @Test
    void token_madeByAClockThatIsAheadAndItsHolderCrashed_isNotForgotten() {
        rig.clock(1).step(Duration.ofSeconds(40));
        rig.server(2).pause();
        Lease crashed = rig.proxied()
                .lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(1)))
                .acquire();
        rig.proxy(0).cutRequests();
        rig.proxy(1).cutRequests();
        RedisServer first = rig.server(0);
        Rig.soon("the record ends").until(() -> (Long) first.command("EXISTS", "holdfast:lock:{a}") == 0);
        rig.server(1).kill();
        rig.server(2).resume();
        assertThat(Rig.take(rig.client(), "a").token()).isGreaterThan(crashed.token());
    }

    /** Majorities of three and of five need not overlap. */
    @Test
    void connect_nodesOfAnotherQuorum_refused() {
        try (Servers more = Servers.start(2)) {
            List<String> five = new ArrayList<>(rig.urls());
            five.addAll(more.urls());
            assertThatThrownBy(() -> Rig.builder(five).connect())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("is a node of a quorum of 3, not of 5")
                    .hasMessageContaining("startEmpty()");
        }
    }

    /** A client that uses a node as a single server does not open what the quorum shut. */
    @Test
    void flushed_andUsedByAClientOfOneServer_staysShut() {
        Lease lease = rig.client().lock("a").acquire();
        rig.server(0).flushAll();
        rig.open(RedisLocks.builder(rig.server(0).uri())
                .safety(Safety.STRICT)
                .startEmpty()
                .connect());
        LockClient other = reachingAllBut(1);
        Rig.always("nobody else gets it", Duration.ofSeconds(1), () -> {
            assertThat(lease.isValid()).isTrue();
            return Rig.isNotGranted(other, "b");
        });
    }

    private LockClient reachingAllBut(int node) {
        FaultProxy noWay = rig.open(FaultProxy.to(rig.server(node)));
        noWay.refuse();
        List<String> urls = new ArrayList<>(rig.urls());
        urls.set(node, noWay.uri());
        return rig.open(Rig.builder(urls).connect());
    }
}
