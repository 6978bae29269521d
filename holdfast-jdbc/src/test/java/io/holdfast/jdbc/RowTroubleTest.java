package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.databases.H2Database;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trouble with one row is the trouble of that row. */
@Tag("integration")
class RowTroubleTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void renew_oneRowLockedBySomebody_othersAreRenewed() throws Exception {
        try (PostgresServer database = PostgresServer.start();
                JdbcFixture fixture = new JdbcFixture(database);
                LockBackend backend = fixture.newBackend();
                Connection somebody = database.connect()) {
            backend.start("client", new MutedListener());
            Claim locked = held(backend, 1, "locked");
            Claim free = held(backend, 2, "free");
            somebody.setAutoCommit(false);
            execute(
                    somebody,
                    "SELECT 1 FROM " + fixture.table() + "_lock WHERE k = CAST('llocked' AS bytea) FOR UPDATE");

            List<RenewResult> results = backend.renew(List.of(new Renewal(locked, LEASE), new Renewal(free, LEASE)));

            assertThat(results.get(0)).isInstanceOf(RenewResult.Failed.class);
            assertThat(results.get(1)).isInstanceOf(RenewResult.Renewed.class);
            somebody.rollback();
            assertThat(backend.renew(List.of(new Renewal(locked, LEASE))).get(0))
                    .isInstanceOf(RenewResult.Renewed.class);
        }
    }

    /** One statement for all would keep their rows locked for long. */
    @Test
    void renew_moreThan500_inSeveralStatements() throws Exception {
        Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
        try (H2Database database = H2Database.start();
                JdbcFixture fixture = new JdbcFixture(database);
                LockBackend backend = JdbcLocks.builder(Spy.on(database::connect, sql -> {
                            if (sql.contains("GREATEST(free_at")) {
                                sizes.add(sql.split(", \\?\\)", -1).length);
                            }
                        }))
                        .table(fixture.table())
                        .newBackend(TimeSource.system())) {
            backend.start("client", new MutedListener());
            List<Renewal> renewals = new ArrayList<>();
            for (int i = 0; i < 501; i++) {
                renewals.add(new Renewal(held(backend, i, "n" + i), LEASE));
            }
            assertThat(backend.renew(renewals))
                    .hasSize(501)
                    .allSatisfy(each -> assertThat(each).isInstanceOf(RenewResult.Renewed.class));
            assertThat(sizes).hasSize(2);
        }
    }

    /** With a standby that never comes, whoever waits for it waits for ever. A lost release costs a lease, no more. */
    @Test
    void release_nobodyWaits_doesNotWaitForTheDisk() throws Exception {
        try (PostgresServer database = PostgresServer.start();
                JdbcFixture fixture = new JdbcFixture(database);
                LockClient client = fixture.newClient()) {
            Lease lease = client.lock("a").acquire();
            execute(database, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
            execute(database, "SELECT pg_reload_conf()");
            await().until(() -> ask(database, "SHOW synchronous_standby_names").equals("nobody"));
            lease.close();
            await().until(() -> ask(database, "SELECT free_at FROM " + fixture.table() + "_lock")
                    .equals("0"));
            execute(database, "ALTER SYSTEM RESET synchronous_standby_names");
            execute(database, "SELECT pg_reload_conf()");
        }
    }

    private static void execute(PostgresServer database, String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            execute(connection, sql);
        }
    }

    private static String ask(PostgresServer database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static Claim held(LockBackend backend, long number, String name) {
        Claim claim = Claim.builder(new ClaimId("client", number), new Resource(LockKind.LOCK, name, 1), LEASE)
                .build();
        assertThat(backend.attempt(claim, LEASE)).isInstanceOf(AttemptResult.Granted.class);
        return claim;
    }

    @Test
    void garbageInOneRow_isNamed_andHidesAndStopsNoOther() throws Exception {
        try (H2Database database = H2Database.start();
                JdbcFixture fixture = new JdbcFixture(database);
                LockClient holder = fixture.newClient();
                LockClient waiter = fixture.newClient();
                LockClient third = fixture.newClient();
                Connection somebody = database.connect()) {
            Lease broken = holder.lock("broken").acquire();
            Lease fine = holder.lock("fine").acquire();
            CompletableFuture<Lease> atBroken =
                    waiter.lock("broken").acquireAsync().toCompletableFuture();
            CompletableFuture<Lease> atFine = waiter.lock("fine").acquireAsync().toCompletableFuture();
            await().until(() -> seen(holder).stream()
                            .filter(each -> each.waiters().size() == 1)
                            .count()
                    == 2);

            execute(somebody, "UPDATE " + fixture.table() + "_lock SET doc = X'07' WHERE k = X'6c62726f6b656e'");
            fine.close();

            atFine.get(60, TimeUnit.SECONDS);
            assertThat(seen(holder)).extracting(LockStatus::name).containsExactly("fine");
            assertThatThrownBy(() -> third.lock("broken").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'broken' is not touched: its record has version 7");
            atBroken.cancel(false);
            execute(somebody, "DELETE FROM " + fixture.table() + "_lock WHERE k = X'6c62726f6b656e'");
            broken.close();
        }
    }

    private static List<LockStatus> seen(LockClient client) {
        try (Stream<LockStatus> all = client.inspector().list("")) {
            return all.toList();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
