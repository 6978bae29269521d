package io.holdfast.comparison;

import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/** H2 in memory, in this process, behind a port. */
final class H2Store extends DatabaseStore {
    private final Server server;

    H2Store() throws SQLException {
        this(Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start());
    }

    private H2Store(Server server) {
        super(
                "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                new String[] {springTable("TIMESTAMP", ""), shedLockTable("TIMESTAMP(3)")});
        this.server = server;
    }

    @Override
    long pid() {
        return ProcessHandle.current().pid();
    }

    /** Of this whole process, which has little else to do while workers work. */
    @Override
    public long cpuMicros() {
        return Usage.now().cpuNanos() / 1000;
    }

    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        work.call();
        return null;
    }

    @Override
    long requests() {
        return 0;
    }

    @Override
    public void close() {
        server.stop();
    }
}
