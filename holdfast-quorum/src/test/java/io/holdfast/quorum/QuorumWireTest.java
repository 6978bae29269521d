package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that are well, and wires that are not. All tests share the nodes, each with names and wires of its own. */
@Tag("integration")
@Execution(ExecutionMode.CONCURRENT)
class QuorumWireTest {
    private static Servers servers;

    @AutoClose
    private Rig rig;

    @BeforeAll
    static void start() {
        servers = Servers.start(3);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @BeforeEach
    void open() {
        rig = new Rig(servers);
    }

    /** Nodes that were never used look like nodes that forgot everything: they wait, unless they are declared new. */
    @Test
    void connect_newNodesNotInitialised_waitAndSaySo() {
        try (LockClient client = Rig.builder(servers.urls())
                .eachNode(node -> node.prefix("never-used"))
                .connect()) {
            assertThatThrownBy(() -> client.lock("a").tryAcquire())
                    .isInstanceOf(LockRefusedException.class)
                    .hasMessageContaining("3 of 3 nodes grant nothing")
                    .hasMessageContaining("startEmpty()");
            Rig.take(client, "a").close();
        }
    }

    @Test
    void acquire_allNodesUp_heldOnAllAndReleasedOnAll() {
        LockClient client = rig.client();
        Lease lease = client.lock("a").acquire();
        assertThat(rig.holdersOf("a")).isEqualTo(3);
        lease.close();
        assertThat(rig.holdersOf("a")).isZero();
    }

    @Test
    void close_nodeDoesNotHear_isReleasedThereWhenItDoes() {
        LockClient client = rig.proxied();
        Lease lease = client.lock("a").acquire();
        rig.proxy(1).cutRequests();
        lease.close();
        assertThat(rig.holdersOf("a")).isOne();
        LockClient other = rig.client();
        try (Lease next = other.lock("a").acquire()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
        rig.proxy(1).heal();
        Rig.soon("the debt is paid, long before the lease would end").until(() -> rig.holdersOf("a") == 0);
    }

    /** The answer of one node is lost, so the outcome there is unknown: it granted, and that grant must not stay. */
    @Test
    void acquire_replyLostOnOneNode_nothingIsLeftBehind() {
        LockClient client = rig.proxied();
        client.lock("a").acquire().close();
        rig.proxy(2).dropReplies(1, request -> request.get(0).equals("EVALSHA") && request.contains(rig.key("a")));
        Lease lease = client.lock("a").acquire();
        assertThat(rig.holdersOf("a")).isEqualTo(3);
        lease.close();
        Rig.soon("nothing is left").until(() -> rig.holdersOf("a") == 0);
    }

    @Test
    void acquire_clientCutOffFromTheMajority_isToldAndOthersGoOn() {
        LockClient cutOff = rig.proxied();
        LockClient other = rig.client();
        cutOff.lock("a").acquire().close();
        rig.proxy(1).cutReplies();
        rig.proxy(2).cutReplies();
        assertThatThrownBy(() -> cutOff.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("only 1 of 3 nodes could be used");
        rig.proxy(1).heal();
        rig.proxy(2).heal();
        Rig.take(other, "a").close();
        Rig.take(cutOff, "a").close();
    }

    /** The leader can still put the claim behind another one; that is not an answer of the quorum. */
    @Test
    void waiting_clientCutOffFromAllButTheLeader_isTold() {
        LockClient cutOff = rig.proxied();
        Lease held = rig.client().lock("a").acquire();
        CompletableFuture<Lease> waiting = cutOff.lock("a").acquireAsync();
        Rig.soon("a place in the leader's line")
                .until(() -> rig.server(0).command("HGET", rig.key("a"), "line") != null);
        rig.proxy(1).cutReplies();
        rig.proxy(2).cutReplies();
        assertThatThrownBy(() -> cutOff.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
        Rig.soon("the waiter is told").until(waiting::isCompletedExceptionally);
        assertThatThrownBy(waiting::join)
                .hasCauseInstanceOf(LockStoreException.class)
                .hasMessageContaining("only 1 of 3 nodes could be used");
        held.close();
    }

    /** Many votes at once: one always wins, and never two. */
    @Test
    void acquire_manyClientsAtOnce_oneAtATimeAndAllInTheEnd() throws Exception {
        int clients = 6;
        List<LockClient> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(rig.client());
        }
        AtomicInteger inside = new AtomicInteger();
        Queue<Long> tokens = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> done = all.stream()
                .map(client -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 20; i++) {
                                try (Lease lease = client.lock("a").acquire()) {
                                    assertThat(inside.incrementAndGet()).isOne();
                                    tokens.add(lease.token());
                                    inside.decrementAndGet();
                                }
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();
        done.forEach(Rig::get);
        assertThat(List.copyOf(tokens)).hasSize(clients * 20).isSorted().doesNotHaveDuplicates();
    }
}
