package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The messages for a quorum that cannot work: what is wrong, what was expected, what to do. */
@Tag("integration")
class QuorumInputTest {
    @AutoClose
    private Rig rig;

    @BeforeEach
    void open() {
        rig = new Rig(3);
    }

    @Test
    void connect_evenOrTooFewNodes_refused() {
        for (int nodes : new int[] {0, 1, 2, 4, 6, 11}) {
            List<String> urls = Collections.nCopies(nodes, rig.server(0).uri());
            assertThatThrownBy(() -> QuorumLocks.connect(urls))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a quorum of " + nodes + " nodes")
                    .hasMessageContaining("expected an odd number from 3 to 9");
        }
        LockBackend one = new MemoryStore().connect();
        assertThatThrownBy(() -> QuorumLocks.over(List.of(one, one, one)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("given twice");
    }

    /** Recognised by the server's own identity: here one of the two connections goes through a proxy. */
    @Test
    void connect_sameServerTwice_refusedWhateverItIsCalled() {
        List<String> urls =
                List.of(rig.server(0).uri(), rig.server(1).uri(), rig.proxy(0).uri());
        assertThatThrownBy(() -> Rig.builder(urls).connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rig.proxy(0).uri())
                .hasMessageContaining("same server")
                .hasMessageContaining("run_id");
        List<String> databases =
                List.of(rig.server(0).uri(), rig.server(1).uri(), rig.server(0).uri() + "/3");
        assertThatThrownBy(() -> Rig.builder(databases).connect()).hasMessageContaining("same server");
    }

    @Test
    void connect_anotherLongestLease_refused() {
        assertThatThrownBy(
                        () -> rig.builder().longestLease(Duration.ofSeconds(9)).connect())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("guarded for leases up to 5s, not 9s")
                .hasMessageContaining("same longestLease()");
    }

    @Test
    void lock_fixedLeaseAboveTheMaximum_refused() {
        LockClient client = rig.client();
        assertThatThrownBy(() -> client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(6))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a lease of 6s for 'a' is longer than 5s")
                .hasMessageContaining("longestLease()");
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void connect_majorityDown_namesThemAndWhy() {
        rig.server(1).kill();
        rig.server(2).kill();
        assertThatThrownBy(() -> rig.builder().connect())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("could not connect: only 1 of 3 nodes could be used, and 2 are needed")
                .hasMessageContaining(rig.server(1).uri() + ": ")
                .hasMessageContaining(rig.server(2).uri() + ": ")
                .hasMessageContaining("nothing was asked for");
    }

    @Test
    void tryAcquire_majorityDown_isAnExceptionAndNotBusy() {
        LockClient client = rig.client();
        client.lock("a").acquire().close();
        rig.server(0).kill();
        rig.server(2).kill();
        for (int i = 0; i < 3; i++) { // and what the third granted is given back
            assertThatThrownBy(() -> client.lock("a").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("only 1 of 3 nodes could be used for 'a', and 2 are needed")
                    .hasMessageContaining(rig.server(0).uri())
                    .hasMessageContaining(rig.server(2).uri());
        }
        assertThat(rig.holdersOf("a")).isZero();
        assertThatThrownBy(() -> client.inspector().find(LockKind.LOCK, "a")).isInstanceOf(LockStoreException.class);
    }

    @Test
    void connect_nodeIsTooOld_saysWhichVersionIsNeeded() {
        RedisServer old = rig.open(RedisServer.start(RedisVersion.V6_2));
        List<String> urls = List.of(rig.server(0).uri(), rig.server(1).uri(), old.uri());
        assertThatThrownBy(() -> Rig.builder(urls).connect())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("is Redis 6.2")
                .hasMessageContaining("use Redis 7.0 or later");
    }

    @Test
    void builder_clusterOrSentinelsAsANode_refused() {
        List<String> urls = List.of(rig.server(0).uri(), rig.server(1).uri(), "redis-cluster://h1,h2");
        assertThatThrownBy(() -> QuorumLocks.connect(urls))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("know nothing of each other");
    }

    @Test
    void builder_timeoutOutOfRange_refused() {
        assertThatThrownBy(() -> rig.builder().nodeTimeout(Duration.ofMillis(1)).connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nodeTimeout is 1ms, expected from 5ms to 10s");
    }

    @Test
    void connect_passwordInTheUrl_isInNoMessage() {
        List<String> urls = List.of(
                rig.server(0).uri(),
                rig.server(1).uri().replace("redis://", "redis://user:geheim@"),
                rig.server(2).uri());
        assertThatThrownBy(() -> Rig.builder(urls).connect())
                .isInstanceOf(LockStoreException.class)
                .hasMessageNotContaining("geheim")
                .hasMessageContaining("right user and password");
    }
}
