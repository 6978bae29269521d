package io.holdfast.cli.demo;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HexFormat;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.tools.Server;

/**
 * The shop's database: H2 in the memory of this process, open to the workers on the loopback address, with a password.
 */
final class DemoDatabase implements AutoCloseable {
    static final String USER = "shop";
    private static final String HOST = "127.0.0.1";
    private static final int SECRET_BYTES = 16;

    /** Of each connection by itself: on a busy machine a row may be locked for longer than H2 waits by default. */
    private static final String PATIENT = ";LOCK_TIMEOUT=60000";

    private final JdbcConnectionPool local;
    private final Server server;
    private final String name;
    private final String password;

    private DemoDatabase(JdbcConnectionPool local, Server server, String name, String password) {
        this.local = local;
        this.server = server;
        this.name = name;
        this.password = password;
    }

    static DemoDatabase start() throws SQLException {
        // Read once, when H2 is first used: without it the server would listen everywhere and refuse later.
        System.setProperty("h2.bindAddress", HOST);
        String name = "shop-" + secret();
        String password = secret();
        JdbcConnectionPool local =
                JdbcConnectionPool.create("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1" + PATIENT, USER, password);
        // The first connection makes the database; nobody can do that from outside.
        local.getConnection().close();
        Server server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-tcpPassword", secret())
                .start();
        return new DemoDatabase(local, server, name, password);
    }

    private static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    JdbcConnectionPool local() {
        return local;
    }

    /** The address for other processes. */
    String url() {
        return "jdbc:h2:tcp://" + HOST + ":" + server.getPort() + "/mem:" + name + PATIENT;
    }

    String password() {
        return password;
    }

    @Override
    public void close() {
        local.dispose();
        server.stop();
    }
}
