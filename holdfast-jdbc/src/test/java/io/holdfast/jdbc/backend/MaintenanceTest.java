package io.holdfast.jdbc.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.database.Rows;
import io.holdfast.spi.ServerClock;
import io.holdfast.spi.TimeSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaintenanceTest {
    private static final int ROWS_PER_TURN = 10_000;

    private final JdbcDataSource source = new JdbcDataSource();
    private Connection open;
    private Database database;
    private Maintenance maintenance;

    @BeforeEach
    void start() throws SQLException {
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        open = source.getConnection();
        TimeSource time = TimeSource.system();
        JdbcSettings settings = new JdbcSettings(
                source, "t", true, false, false, Duration.ofMinutes(1), 1, Duration.ofSeconds(30), "", time);
        ServerClock clock = new ServerClock();
        database = new Database(settings, clock, "client");
        Rows rows = new Rows(database.start());
        maintenance = new Maintenance(
                database, rows, new HeldClaims(false), clock, time, new ClientRecord("client", ""), "client", List::of);
    }

    @AfterEach
    void stop() throws SQLException {
        maintenance.close();
        database.close();
        open.close();
    }

    private int left() throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM t_lock")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** As many names as somebody uses once in ten minutes. */
    private void abandon(int names) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute("INSERT INTO t_lock (k, version, last_token, free_at, capacity)"
                    + " SELECT STRINGTOUTF8('ln' || X), 1, 1, 0, 1 FROM SYSTEM_RANGE(1, " + names + ")");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500, 1_201})
    void cleanUp_leavesNothing(int names) throws SQLException {
        abandon(names);
        assertThat(maintenance.cleanUp()).as("more to do").isFalse();
        assertThat(left()).isZero();
    }

    @Test
    void cleanUp_moreThanATurnTakes_goesOnWithTheNext() throws SQLException {
        abandon(ROWS_PER_TURN + 1);
        assertThat(maintenance.cleanUp()).as("more to do").isTrue();
        assertThat(left()).isEqualTo(1);
        assertThat(maintenance.cleanUp()).isFalse();
        assertThat(left()).isZero();
    }
}
