package io.holdfast.torture;

import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One database: PostgreSQL and MariaDB take turns. It has everything on disk before it says so. */
final class JdbcSite extends Site {
    private final DatabaseServer server;

    private JdbcSite(DatabaseServer server) {
        super(new ClockShim());
        this.server = server;
        takeClock();
    }

    static JdbcSite start(int round) {
        try {
            return new JdbcSite(isPostgres(round) ? PostgresServer.durable() : MariaDbServer.durable());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isPostgres(int round) {
        return round % 2 == 1;
    }

    /** Which product is used in a round. */
    static String product(int round) {
        return isPostgres(round) ? "PostgreSQL" : "MariaDB";
    }

    private void takeClock() {
        if (ClockShim.isSupported()) {
            clock().attach(server.pid());
        }
    }

    DatabaseServer server() {
        return server;
    }

    @Override
    List<Integer> otherPorts() {
        return List.of(server.port());
    }

    void restart() {
        server.restart();
        takeClock();
    }

    @Override
    String url() {
        return server.url();
    }

    /** What is to be told to a client that goes through a proxy. */
    static String proxied(String url, int port) {
        return url.replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + port);
    }

    @Override
    List<RedisServer> servers() {
        return List.of();
    }

    @Override
    List<RedisServer> masters() {
        return List.of();
    }

    @Override
    void awaitHealthy() {
        Patience.until("the database answers", () -> {
            try (Connection connection = server.connect()) {
                return connection.isValid(1);
            } catch (SQLException notYet) {
                return false;
            }
        });
    }

    @Override
    public void close() {
        server.close();
    }
}
