package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.ClaimKey;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Row;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.testing.databases.H2Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The statements of the common cases, one by one: each changes what it names, and nothing after its time. */
class RowsTest {
    private static final Resource RESOURCE = new Resource(LockKind.LOCK, "a", 1);
    private static final long EVER = Long.MAX_VALUE;

    private H2Database database;
    private KeptConnection connection;
    private Rows rows;

    @BeforeEach
    void start() throws SQLException {
        database = H2Database.start();
        Connection plain = database.connect();
        Statements statements = new Statements(Dialect.of(plain), "t");
        new Schema(statements).create(plain, false);
        connection = new KeptConnection(plain, statements, 0);
        rows = new Rows(statements);
        FaultBench.execute(
                database,
                "INSERT INTO t_lock (k, version, last_token, free_at, capacity) VALUES (STRINGTOUTF8('la'), 1, 1, 0, 1)");
    }

    @AfterEach
    void stop() {
        connection.close();
        database.close();
    }

    private static Claim claim(String client, long sequence) {
        return Claim.builder(new ClaimId(client, sequence), RESOURCE, Duration.ofMinutes(1))
                .build();
    }

    private Row row() throws SQLException {
        return rows.read(connection, Row.key(RESOURCE));
    }

    @Test
    void take_afterItsTime_doesNothing() throws SQLException {
        assertThat(rows.take(connection, claim("c", 1), row().nowMicros())).isEmpty();
        assertThat(row().version()).isEqualTo(1);
    }

    @Test
    void take_clockIsBehindTheLastToken_nextOneIsGreater() throws SQLException {
        FaultBench.execute(database, "UPDATE t_lock SET last_token = 9000000000000000000");
        assertThat(rows.take(connection, claim("c", 1), EVER)).hasValue(9_000_000_000_000_000_001L);
    }

    @Test
    void give_claimOfAnother_doesNothing() throws SQLException {
        assertThat(rows.take(connection, claim("c", 1), EVER)).isPresent();
        assertThat(rows.give(connection, claim("c", 2), EVER)).isFalse();
        assertThat(rows.give(connection, claim("d", 1), EVER)).isFalse();
        assertThat(rows.give(connection, claim("c", 1), row().nowMicros()))
                .as("after its time")
                .isFalse();
        assertThat(row().version()).isEqualTo(2);
        assertThat(rows.give(connection, claim("c", 1), EVER)).isTrue();
        assertThat(row().freeAtMicros()).isZero();
    }

    @Test
    void renew_claimOfAnotherOrOver_doesNothing() throws SQLException {
        assertThat(rows.take(connection, claim("c", 1), EVER)).isPresent();
        assertThat(renew("c", 2, EVER)).isZero();
        assertThat(renew("d", 1, EVER)).isZero();
        assertThat(renew("c", 1, row().nowMicros())).as("after its time").isZero();
        assertThat(renew("c", 1, EVER)).isEqualTo(1);
        FaultBench.execute(database, "UPDATE t_lock SET free_at = 5");
        assertThat(renew("c", 1, EVER)).as("its lease is over").isZero();
    }

    private int renew(String client, long sequence, long notAfter) throws SQLException {
        return rows.renew(connection, client, List.of(ClaimKey.of(claim(client, sequence))), 1_000_000, notAfter);
    }

    private void put(String name, long ago, long tokenAgo, String doc) throws SQLException {
        long now = row().nowMicros();
        FaultBench.execute(
                database,
                "INSERT INTO t_lock (k, version, last_token, free_at, capacity, since, doc) VALUES (STRINGTOUTF8('l"
                        + name + "'), 1, " + (now - tokenAgo) + ", " + (now - ago) + ", 1, " + (now - ago) + ", " + doc
                        + ")");
    }

    private boolean exists(String name) throws SQLException {
        return !rows.read(connection, Row.key(new Resource(LockKind.LOCK, name, 1)))
                .isAbsent();
    }

    /** A token begins with the clock where no row says more, so the row of a greater one has to stay. */
    @Test
    void clean_deletesWhatNobodyUsesAndNoTokenNeeds() throws SQLException {
        long longAgo = 601_000_000;
        long recently = 590_000_000;
        put("old", longAgo, longAgo, "NULL");
        put("recent", recently, longAgo, "NULL");
        put("ahead", longAgo, recently, "NULL");
        put("abandoned", longAgo, longAgo, "X'010000000000000000'");
        put("garbage", longAgo, longAgo, "X'07'");
        connection.call("witnessInsert").update();

        assertThat(rows.clean(connection)).isEqualTo(3);

        assertThat(exists("a")).as("given back when the clock began").isFalse();
        assertThat(exists("old")).isFalse();
        assertThat(exists("abandoned")).as("a record of nobody").isFalse();
        assertThat(exists("recent")).as("used within ten minutes").isTrue();
        assertThat(exists("ahead")).as("its token is ahead of the clock").isTrue();
        assertThat(exists("garbage")).as("nobody knows what it says").isTrue();
        assertThat(connection.call("witness").query().next()).as("the witness").isTrue();
    }

    /** Somebody takes it between the look and the deletion. */
    @Test
    void clean_recordChangesMeanwhile_itsRowStays() throws SQLException {
        put("abandoned", 601_000_000, 601_000_000, "X'010000000000000000'");
        String taken = "UPDATE t_lock SET version = version + 1, free_at = " + (row().nowMicros() + 60_000_000)
                + " WHERE k = STRINGTOUTF8('labandoned')";
        Connection slow = Spy.on(database::connect, sql -> {
                    if (sql.startsWith("DELETE") && sql.contains("version")) {
                        FaultBench.execute(database, taken);
                    }
                })
                .getConnection();
        try (KeptConnection cleaning = new KeptConnection(slow, new Statements(Dialect.H2, "t"), 0)) {
            assertThat(rows.clean(cleaning)).as("the row of the other name").isEqualTo(1);
        }
        assertThat(exists("abandoned")).isTrue();
    }

    @Test
    void clean_atMost500AtATime() throws SQLException {
        for (int i = 0; i < 501; i++) {
            put("n" + i, 601_000_000, 601_000_000, "NULL");
        }
        assertThat(rows.clean(connection)).isEqualTo(500);
        assertThat(rows.clean(connection)).isEqualTo(2);
    }

    /** Of a row that was read as absent, and written after the time of the request. */
    @Test
    void write_newRowAfterItsTime_doesNothing() throws SQLException {
        Resource other = new Resource(LockKind.LOCK, "b", 1);
        byte[] key = Row.key(other);
        Row absent = rows.read(connection, key);
        var fresh = absent.toRecord(other);
        fresh.attempt(claim("c", 1), absent.nowMicros());
        assertThat(rows.write(connection, key, absent, fresh, absent.nowMicros(), List.of()))
                .isFalse();
        assertThat(exists("b")).isFalse();
        assertThat(rows.write(connection, key, absent, fresh, EVER, List.of())).isTrue();
        assertThat(exists("b")).isTrue();
    }

    /** What was read is gone, whatever the row that stands there now looks like. */
    @Test
    void write_rowWasDeletedAndMadeAnew_doesNothing() throws SQLException {
        Resource other = new Resource(LockKind.LOCK, "b", 1);
        byte[] key = Row.key(other);
        insert(other, claim("c", 1));
        Row old = rows.read(connection, key);
        FaultBench.execute(database, "DELETE FROM t_lock WHERE k = STRINGTOUTF8('lb')");
        insert(other, claim("d", 1));
        var fresh = old.toRecord(other);
        fresh.release(claim("c", 1).id(), old.nowMicros());
        assertThat(rows.write(connection, key, old, fresh, EVER, List.of())).isFalse();
    }

    private void insert(Resource resource, Claim claim) throws SQLException {
        byte[] key = Row.key(resource);
        Row absent = rows.read(connection, key);
        var fresh = absent.toRecord(resource);
        fresh.attempt(claim, absent.nowMicros());
        assertThat(rows.write(connection, key, absent, fresh, EVER, List.of())).isTrue();
    }

    @Test
    void write_rowHasChangedOrTimeIsOver_doesNothing() throws SQLException {
        Row old = row();
        var fresh = old.toRecord(RESOURCE);
        fresh.attempt(claim("c", 1), old.nowMicros());
        byte[] key = Row.key(RESOURCE);
        assertThat(rows.write(connection, key, old, fresh, row().nowMicros(), List.of()))
                .as("after its time")
                .isFalse();
        assertThat(rows.write(connection, key, old, fresh, EVER, List.of())).isTrue();
        assertThat(rows.write(connection, key, old, fresh, EVER, List.of()))
                .as("a second time")
                .isFalse();
    }
}
