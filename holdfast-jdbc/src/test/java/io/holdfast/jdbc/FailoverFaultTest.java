package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.testing.databases.PostgresServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica takes over that lacks the last commits, or a crash empties tables without a log. */
@Tag("integration")
@Timeout(90)
class FailoverFaultTest {
    /** A server is up again, or promoted, in less. */
    private static final Duration LONGEST = Duration.ofSeconds(8);

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private PostgresServer primary;
    private final AtomicReference<PostgresServer> current = new AtomicReference<>();

    @BeforeEach
    void start() {
        primary = bench.open(PostgresServer.durable());
        current.set(primary);
    }

    private JdbcLocksBuilder builder(Safety safety) {
        JdbcLocksBuilder builder = bench.builder(() -> current.get().connect());
        return safety == Safety.STRICT ? builder.safety(safety).longestLease(LONGEST) : builder;
    }

    /** Takes over without what the primary confirms while the work is done. */
    private void failOver(Runnable lost) throws Exception {
        PostgresServer replica = bench.open(primary.startReplica());
        replica.stopFollowing();
        lost.run();
        primary.kill();
        replica.promote();
        current.set(replica);
    }

    @Test
    void available_goesOnAtOnce_withGreaterTokens() throws Exception {
        LockClient client = bench.client(builder(Safety.AVAILABLE));
        AtomicReference<Lease> lost = new AtomicReference<>();
        failOver(() -> lost.set(client.lock("a", FaultBench.lease(60_000)).acquire()));
        Lease next =
                FaultBench.get(bench.client(builder(Safety.AVAILABLE)).lock("a").acquireAsync());
        assertThat(next.token())
                .as("the fence refuses the other one")
                .isGreaterThan(lost.get().token());
        next.close();
    }

    @Test
    void strict_holderKeepsIt_nothingNewUntilEveryOldLeaseIsOver() throws Exception {
        LockClient holder = bench.client(builder(Safety.STRICT));
        AtomicReference<Lease> lost = new AtomicReference<>();
        failOver(() -> lost.set(holder.lock("a", FaultBench.lease(8_000)).acquire()));
        LockClient other = bench.client(builder(Safety.STRICT));
        assertThatThrownBy(() -> other.lock("free").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "the database was replaced by another one",
                        "grants nothing new for",
                        "more seconds",
                        "holders keep what they have");
        assertThat(lost.get().isValid()).as("the holder, at first").isTrue();
        FaultBench.soon("it serves again")
                .ignoreExceptions()
                .until(() -> other.lock("free").tryAcquire().isPresent());
        assertThat(lost.get().isValid())
                .as("the holder, put back by its renewals")
                .isTrue();
        assertThat(other.lock("a").tryAcquire()).as("what the holder put back").isEmpty();
        lost.get().close();
        Lease next = FaultBench.get(other.lock("a").acquireAsync());
        assertThat(next.token()).isGreaterThan(lost.get().token());
    }

    /** The first mark of all is among the lost commits, so the tables look as if nobody had ever used them. */
    @Test
    void strict_replicaLacksTheFirstMark_isShutByWhoHasSeenIt() throws Exception {
        bench.client(builder(Safety.AVAILABLE)).close();
        AtomicReference<LockClient> client = new AtomicReference<>();
        AtomicReference<Lease> lost = new AtomicReference<>();
        failOver(() -> {
            client.set(bench.client(builder(Safety.STRICT)));
            lost.set(client.get().lock("a", FaultBench.lease(8_000)).acquire());
        });
        FaultBench.soon("it is found out")
                .untilAsserted(
                        () -> assertThatThrownBy(() -> client.get().lock("free").tryAcquire())
                                .isInstanceOf(LockRefusedException.class)
                                .hasMessageContaining("the database was replaced by another one"));
        assertThat(lost.get().isValid()).isTrue();
        assertThatThrownBy(() -> bench.client(builder(Safety.STRICT)).lock("a").tryAcquire())
                .as("by somebody who comes now")
                .isInstanceOf(LockRefusedException.class);
    }

    @Test
    void unlogged_crashEmptiesTheTable_isGuarded() throws Exception {
        JdbcLocksBuilder unlogged = bench.builder(primary).unlogged().longestLease(LONGEST);
        LockClient client = bench.client(unlogged);
        Lease held = client.lock("a", FaultBench.lease(8_000)).acquire();
        primary.kill();
        primary.restart();
        LockClient other = bench.client(bench.builder(primary).longestLease(LONGEST));
        assertThatThrownBy(() -> other.lock("a").tryAcquire())
                .as("found out from the table itself")
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("lost its tables", "holders keep what they have");
        FaultBench.soon("it serves again")
                .ignoreExceptions()
                .until(() -> other.lock("free").tryAcquire().isPresent());
        assertThat(held.isValid()).as("put back by its renewals").isTrue();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        held.close();
        FaultBench.get(other.lock("a").acquireAsync()).close();
    }

    /** It was not told of the tables, so the tables tell it. */
    @Test
    void unlogged_clientThatWasNotTold_givesNoLongerLeaseThanTheGuardWaitsFor() {
        bench.client(bench.builder(primary).unlogged().longestLease(LONGEST)).close();
        LockClient other = bench.client(JdbcLocks.builder(new TestDataSource(primary::connect))
                .table(bench.table())
                .longestLease(LONGEST));
        assertThatThrownBy(() -> other.lock("a", FaultBench.fixedLease(600_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("a lease of 10m for 'a' is longer than 8s", "longestLease()");
        other.lock("a", FaultBench.fixedLease(8_000)).acquire().close();
    }

    @ParameterizedTest
    @EnumSource
    void readOnlyReplica_atTheStart_saysSo(Safety safety) throws Exception {
        bench.client(builder(safety)).close();
        PostgresServer replica = bench.open(primary.startReplica());
        JdbcLocksBuilder uses =
                JdbcLocks.builder(new TestDataSource(replica::connect)).table(bench.table());
        assertThatThrownBy(() -> bench.client(uses.safety(safety)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("the database is read-only", "connect to the primary");
    }

    @Test
    void readOnlyReplica_atTheStartAndAfterAFailover_saysSo() throws Exception {
        LockClient client = bench.client(builder(Safety.AVAILABLE));
        client.lock("a").acquire().close();
        PostgresServer replica = bench.open(primary.startReplica());
        current.set(replica);
        primary.kill();
        assertThatThrownBy(() -> bench.client(builder(Safety.AVAILABLE)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("read-only", "connect to the primary", "25006");
        FaultBench.soon("the client meets the replica")
                .untilAsserted(() -> assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll("read-only", "connect to the primary", "25006"));
        replica.promote();
        FaultBench.soon("it goes on")
                .ignoreExceptions()
                .until(() -> client.lock("a").tryAcquire().isPresent());
    }
}
