package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.testing.databases.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks on MySQL itself, with its own driver. */
@Tag("integration")
@Tag("full")
@Timeout(120)
class MySqlFaultTest {
    @AutoClose
    private static MySqlServer server;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() throws SQLException {
        server = MySqlServer.newest();
    }

    @Test
    void killedUnderLoad_isExclusiveAndGoesOn() throws Exception {
        CrashFaultTest.assertSurvivesKills(bench, bench.open(MySqlServer.durable()));
    }

    @Test
    void standsStillForLongerThanALease_nextOneHasAGreaterToken() {
        CrashFaultTest.assertSurvivesStandstill(bench, server);
    }

    @Test
    void examine_nothingIsWrong() {
        bench.client(server);
        assertThat(bench.builder(server).examine())
                .filteredOn(finding -> finding.level() == Finding.Level.FAIL)
                .isEmpty();
    }

    /** The token of a free lock comes back as the generated key of an update, whatever the driver does with it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "useServerPrepStmts=false",
                "useServerPrepStmts=true&cachePrepStmts=true",
                "useAffectedRows=true",
                "rewriteBatchedStatements=true",
                "useLocalSessionState=true",
                "allowMultiQueries=true"
            })
    void optionsOfTheDriver_tokensGrow(String options) {
        LockClient client = bench.client(bench.builder(() -> server.connect(options)));
        long last = 0;
        for (int i = 0; i < 10; i++) {
            try (Lease lease = client.lock("a").acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
        }
        Lease lease = client.lock("a").acquire();
        CompletableFuture<Lease> next = bench.client(bench.builder(() -> server.connect(options)))
                .lock("a")
                .acquireAsync();
        lease.close();
        assertThat(FaultBench.get(next).token()).isGreaterThan(lease.token());
    }

    @Test
    void rowIsLockedBySomebody_callerIsToldOrServed() throws Exception {
        LockClient client = bench.client(server);
        client.lock("a").acquire().close();
        try (Connection somebody = server.connect()) {
            somebody.setAutoCommit(false);
            somebody.createStatement().execute("SELECT * FROM " + bench.table() + "_lock FOR UPDATE");
            assertThat(FaultBench.async(() -> client.lock("a").tryAcquire(Duration.ofSeconds(1))))
                    .failsWithin(Duration.ofSeconds(20));
            somebody.rollback();
        }
        client.lock("a").acquire().close();
    }

    /** The hour that local time has twice, and the one that it does not have. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-10-25T00:59:59Z", "2027-03-28T00:59:59Z"})
    void localTimeJumps_leasesGoOn(String before) throws Exception {
        LocalTimeFaultTest.assertLeasesGoOn(bench, bench.open(MySqlServer.inZone(LocalTimeFaultTest.BERLIN)), before);
    }

    /** MySQL ends what only reads. */
    @Test
    void statementTimeoutOfTheServer_isNamed() throws Exception {
        FaultBench.execute(server, "SET GLOBAL max_execution_time = 300");
        try (Connection somebody = server.connect()) {
            LockClient client = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(4)));
            client.lock("a").acquire().close();
            somebody.createStatement().execute("LOCK TABLES " + bench.table() + "_lock WRITE");
            assertThatThrownBy(() -> client.inspector().find(LockKind.LOCK, "a"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("a statement timeout of the database or of its user", "3024");
        } finally {
            FaultBench.execute(server, "SET GLOBAL max_execution_time = 0");
        }
    }

    @Test
    void userHasNoRights_sentenceHasTheGrant() throws Exception {
        bench.client(server).close();
        FaultBench.execute(server, "CREATE USER guest IDENTIFIED BY ''");
        FaultBench.execute(server, "GRANT SELECT ON holdfast." + bench.table() + "_lock TO guest");
        FaultBench.execute(server, "GRANT SELECT ON holdfast." + bench.table() + "_meta TO guest");
        FaultBench.execute(server, "GRANT SELECT ON holdfast." + bench.table() + "_client TO guest");
        JdbcLocksBuilder guest = JdbcLocks.builder(server.url().replace("user=root", "user=guest"), "", "")
                .table(bench.table());
        assertThatThrownBy(guest::connect)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("GRANT SELECT, INSERT, UPDATE, DELETE on the tables", "1142");
    }

    @Test
    void readOnly_atTheStartAndLater_saysSo() throws Exception {
        LockClient client = bench.client(server);
        FaultBench.execute(server, "SET GLOBAL super_read_only = ON");
        try {
            JdbcLocksBuilder uses =
                    JdbcLocks.builder(new TestDataSource(server::connect)).table(bench.table());
            assertThatThrownBy(uses::connect)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("read-only", "connect to the primary", "1290");
            assertThatThrownBy(() -> client.lock("a").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("read-only", "connect to the primary", "1290");
            assertThat(uses.examine())
                    .anySatisfy(finding -> assertThat(finding.toString()).contains("the database is read-only"));
        } finally {
            FaultBench.execute(server, "SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }
}
