package io.holdfast.testing.databases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A database in processes of its own, with what can go wrong with processes. */
public abstract class DatabaseServer implements TestDatabase {
    private final ServerProcess server;
    private final int port;

    DatabaseServer(ServerProcess server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Where it listens. */
    public final String host() {
        return ServerProcess.HOST;
    }

    /** Where it listens; the same after a restart. */
    public final int port() {
        return port;
    }

    /** For a program that connects by itself. */
    public final String url() {
        return url(port);
    }

    /** The same through something that listens on another port. */
    public abstract String url(int otherPort);

    @Override
    public final Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Of the process that was started; its children, if it has some, belong to it. Another one after a restart. */
    public final long pid() {
        return server.pid();
    }

    /** Ends all of its processes at once, whatever they are doing. Its files stay. */
    public final void kill() {
        server.kill();
    }

    /** Starts it again on the same files and port, after {@link #kill}. Returns once it lets somebody in. */
    public final void restart() {
        server.restart();
        awaitAnswer();
    }

    final void awaitAnswer() {
        server.awaitAnswer(url());
    }

    /** Stops its processes where they are; connections stay open, and the system still takes bytes for them. */
    public final void pause() {
        server.signalAll("STOP");
    }

    /** Lets them go on. */
    public final void resume() {
        server.signalAll("CONT");
    }

    /** Leaves no room on the disk of a server that was started on a small one. */
    public final void fillDisk() {
        server.fillDisk();
    }

    /** Takes {@link #fillDisk} back. */
    public final void freeDisk() {
        server.freeDisk();
    }

    @Override
    public final void close() {
        server.close();
    }
}
