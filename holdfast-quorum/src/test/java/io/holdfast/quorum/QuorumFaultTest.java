package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockRefusedException;
import io.holdfast.LostReason;
import io.holdfast.testing.redis.AofCopy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Nodes that die, hang, forget and come back, and what holders and waiters notice of it. Each test has servers of its
 * own, because it breaks them, and mostly waits.
 */
@Tag("integration")
@Execution(ExecutionMode.CONCURRENT)
class QuorumFaultTest {
    @AutoClose
    private Rig rig;

    @BeforeEach
    void open() {
        rig = new Rig(3);
    }

    /** Each node in turn is dead, also the first one, which keeps the line. */
    @Test
    void acquire_anyNodeDead_stillGrantsHandsOverAndGrows() {
        LockClient one = rig.client();
        LockClient other = rig.client();
        long last = 0;
        for (int dead = 0; dead < 3; dead++) {
            rig.server(dead).kill();
            Lease held = one.lock("a").acquire();
            assertThat(held.token()).isGreaterThan(last);
            CompletableFuture<Lease> waiting = other.lock("a").acquireAsync();
            Rig.always("it is held", Duration.ofMillis(150), () -> !waiting.isDone());
            held.close();
            Lease next = Rig.get(waiting);
            last = next.token();
            assertThat(last).isGreaterThan(held.token());
            next.close();
            rig.server(dead).restart();
            Rig.soon("the node grants again").until(() -> {
                try (Lease lease = one.lock("b").acquire()) {
                    return rig.holdersOf("b") == 3 && lease.isValid();
                }
            });
        }
    }

    @Test
    void acquire_nodeHangs_costsOneTimeoutAndThenNothing() {
        LockClient client = rig.proxied();
        client.lock("a").acquire().close();
        rig.server(1).pause();
        client.lock("a").acquire().close(); // waits for it once
        long before = rig.proxy(1).requests();
        for (int i = 0; i < 50; i++) {
            client.lock("a").acquire().close();
        }
        assertThat(rig.proxy(1).requests() - before)
                .as("asked by probes at most")
                .isLessThan(20);
        rig.server(1).resume();
        Rig.soon("it is used again").until(() -> {
            try (Lease lease = client.lock("a").acquire()) {
                return rig.holdersOf("a") == 3 && lease.isValid();
            }
        });
    }

    /**
     * The holder got two of three; the third is claimed as soon as it answers, so that one of the first two may fail.
     */
    @Test
    void held_nodeComesBack_toppedUpAndThenAnotherMayFail() {
        rig.server(2).kill();
        LockClient client = rig.client();
        Lease lease = client.lock("a").acquire();
        assertThat(rig.holdersOf("a")).isEqualTo(2);
        rig.server(2).restart();
        Rig.soon("the third node").until(() -> rig.holdersOf("a") == 3);
        assertThat(lease.isValid()).isTrue();

        rig.server(0).kill();
        LockClient other = rig.open(rig.builder().connect());
        Rig.always("the holder keeps it", Rig.LONGEST.plusSeconds(1), lease::isValid);
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        lease.close();
    }

    /** Row 28: all nodes forget, one after the other, while one holder keeps its lock all the time. */
    @Test
    void held_allNodesRestartEmptyOneAfterTheOther_isKept() {
        LockClient client = rig.client();
        LockClient other = rig.client();
        Lease lease = client.lock("a").acquire();
        Queue<LostReason> lost = new ConcurrentLinkedQueue<>();
        lease.onLost(lost::add);
        for (int node = 0; node < 3; node++) {
            rig.server(node).restartEmpty();
            Rig.soon("the holder asserts its lock").until(() -> rig.holdersOf("a") == 3);
            Rig.always("nobody else gets it", Rig.SHUT.plusMillis(300), () -> {
                assertThat(lost).isEmpty();
                return Rig.isNotGranted(other, "a");
            });
        }
        assertThat(lease.isValid()).isTrue();
        lease.close();
        try (Lease next = Rig.take(other, "a")) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    /**
     * More nodes than may fail came back empty: nothing is granted until every lease has ended, and the message says
     * how long.
     */
    @Test
    void tryAcquire_majorityRestartedEmpty_refusedUntilLeasesEnded() {
        LockClient client = rig.client();
        client.lock("a").acquire().close();
        rig.server(0).restartEmpty();
        rig.server(1).restartEmpty();
        Rig.soon("a refusal")
                .untilAsserted(() -> assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOfSatisfying(
                                LockRefusedException.class,
                                refused -> assertThat(refused.retryAfter()).isBetween(Duration.ofMillis(500), Rig.SHUT))
                        .hasMessageContaining("2 of 3 nodes grant nothing")
                        .hasMessageContaining("restarted"));
        Rig.take(client, "a").close();
    }

    /**
     * A node that goes back to an older file has its mark but not the lock. The mark names the process, so the node
     * shuts itself.
     */
    @Test
    void held_nodeRestartsFromAnOldFile_grantsNothingNewAndTheHolderIsBack() {
        AofCopy before = rig.server(0).copyAof();
        LockClient client = rig.client();
        rig.server(2).kill();
        Lease lease = client.lock("a").acquire();
        assertThat(rig.holdersOf("a")).isEqualTo(2);

        rig.server(0).restartFrom(before);
        rig.server(2).restartEmpty();

        LockClient other = rig.client();
        Rig.always("nobody else gets it", Rig.SHUT.plusSeconds(1), () -> {
            assertThat(lease.isValid()).isTrue();
            return Rig.isNotGranted(other, "a");
        });
        lease.close();
    }

    /** The same process, but empty: scripts and connections are as before, only the mark is gone. */
    @Test
    void held_nodeIsFlushed_grantsNothingNewAndTheHolderIsBack() {
        LockClient client = rig.client();
        rig.server(2).kill();
        Lease lease = client.lock("a").acquire();
        rig.server(2).restartEmpty();
        rig.server(0).flushAll();
        LockClient newcomer = rig.client();

        Rig.always("nobody else gets it", Rig.SHUT.plusSeconds(1), () -> {
            assertThat(lease.isValid()).isTrue();
            return Rig.isNotGranted(newcomer, "a");
        });
        lease.close();
    }

    /**
     * Nodes that have been up for long, emptied while clients are connected: open clients find no mark, and later ones
     * find a mark that says shut, although it still names the same process.
     */
    @Test
    void flushed_nodesUpForLong_grantNothingToAnybodyWhoIsConnected() {
        Lease held = rig.client().lock("a").acquire();
        LockClient early = rig.client();
        LockClient other = rig.client();
        early.lock("b").acquire().close();
        other.lock("b").acquire().close();
        Rig.soon("nodes that are not young any more")
                .until(() -> Long.parseLong(rig.server(2).info("server").get("uptime_in_seconds"))
                        > Rig.SHUT.toSeconds() + 1);
        rig.server(0).flushAll();
        rig.server(1).flushAll();
        assertThatThrownBy(() -> early.lock("a").tryAcquire()).isInstanceOf(LockRefusedException.class);
        assertThatThrownBy(() -> other.lock("a").tryAcquire())
                .as("it has not shaken hands since")
                .isInstanceOf(LockRefusedException.class);
        assertThat(held.isValid()).isTrue();
    }

    @Test
    void waiting_leaderDies_servedByTheOthers() {
        LockClient one = rig.client();
        LockClient other = rig.client();
        Lease held = one.lock("a").acquire();
        CompletableFuture<Lease> waiting = other.lock("a").acquireAsync();
        Rig.soon("a place in the leader's line")
                .until(() -> rig.server(0).command("HGET", "holdfast:lock:{a}", "line") != null);
        rig.server(0).kill();
        held.close();
        Lease next = Rig.get(waiting);
        assertThat(next.token()).isGreaterThan(held.token());
        next.close();
    }
}
