package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
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
