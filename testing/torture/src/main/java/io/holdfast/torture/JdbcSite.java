package io.holdfast.torture;

import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One database: PostgreSQL and MariaDB, two rounds each. It has everything on disk before it says so. */
final class JdbcSite extends Site {
    /** Once with each setting. */
    private static final int ROUNDS_PER_PRODUCT = 2;

    /** More than the workers keep, and not too many to be taken by somebody else. */
    private static final int CONNECTIONS = 80;

    private final String url;
    private final int port;
    private volatile DatabaseServer server;

    private JdbcSite(DatabaseServer server) {
        super(new ClockShim());
        this.server = server;
        this.url = server.url();
        this.port = server.port();
        takeClock();
    }

    static JdbcSite start(int round) {
        try {
            return new JdbcSite(
                    isPostgres(round)
                            ? PostgresServer.start("fsync=on", "max_connections=" + CONNECTIONS)
                            : MariaDbServer.start(
                                    "--innodb-flush-log-at-trx-commit=1", "--max-connections=" + CONNECTIONS));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isPostgres(int round) {
        return (round - 1) / ROUNDS_PER_PRODUCT % 2 == 0;
    }

    /** Whether a replica can take over. */
    static boolean hasReplicas(int round) {
        return isPostgres(round);
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

    boolean isPostgres() {
        return server instanceof PostgresServer;
    }

    DatabaseServer server() {
        return server;
    }

    @Override
    List<Integer> otherPorts() {
        return List.of(port); // where it was at first: that is how workers know it
    }

    /** A replica that follows the server. Nobody may write meanwhile. */
    PostgresServer newReplica() {
        try {
            return ((PostgresServer) server).startReplica();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The server dies, and the replica takes over with what it has heard of until so long before. */
    void failOver(PostgresServer replica, long lostMillis) {
        try {
            replica.stopFollowing();
            Threads.sleep(lostMillis);
            server.kill();
            server.close();
            replica.promote();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        server = replica;
        takeClock();
    }

    void restart() {
        server.restart();
        takeClock();
    }

    @Override
    String url() {
        return url;
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
