package io.holdfast.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers are killed and come back, stand still and go on, and replicas lack what they were kept from. */
@Tag("integration")
class DatabaseServerTest {
    private static void execute(DatabaseServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(DatabaseServer server) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void assertFaultsWork(DatabaseServer server) throws SQLException {
        try (server) {
            execute(server, "CREATE TABLE t (n BIGINT)");
            execute(server, "INSERT INTO t VALUES (1)");
            server.kill();
            assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
            server.restart();
            assertThat(count(server)).isEqualTo(1);
            try (Connection connection = server.connect()) {
                server.pause();
                assertThat(connection.isValid(1)).isFalse();
                server.resume();
            }
            assertThat(count(server)).isEqualTo(1);
        }
    }

    @Test
    void postgres_killedAndPaused_keepsItsData() throws SQLException {
        assertFaultsWork(PostgresServer.durable());
    }

    @Test
    void mariaDb_killedAndPaused_keepsItsData() throws SQLException {
        assertFaultsWork(MariaDbServer.durable());
    }

    @Test
    void postgres_promotedReplica_lacksTheLastCommits() throws SQLException {
        try (PostgresServer primary = PostgresServer.start()) {
            execute(primary, "CREATE TABLE t (n BIGINT)");
            try (PostgresServer replica = primary.startReplica()) {
                assertThatThrownBy(() -> execute(replica, "INSERT INTO t VALUES (1)"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("25006"));
                replica.stopFollowing();
                execute(primary, "INSERT INTO t VALUES (1)");
                primary.kill();
                replica.promote();
                assertThat(count(replica)).isZero();
                execute(replica, "INSERT INTO t VALUES (2)");
                assertThat(count(replica)).isEqualTo(1);
                try (PostgresServer next = replica.startReplica()) {
                    assertThat(count(next)).as("a replica of what was one").isEqualTo(1);
                }
            }
        }
    }
}
