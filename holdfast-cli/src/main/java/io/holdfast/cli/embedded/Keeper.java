package io.holdfast.cli.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A small process that ends the shared server when it has been idle for a while: nobody connected, and nothing in it.
 * It ends with the server. If it is killed, the next command starts another one.
 */
final class Keeper {
    /** Said when a keeper is there: this one, or another one. */
    static final String READY = "ready";

    private static final long IDLE_SECONDS = 300;
    private static final int LOOKS_PER_IDLE = 30;
    private static final String IDLE_ENVIRONMENT = "HOLDFAST_IDLE_SECONDS";

    private final Home home;
    private final Endpoint endpoint;
    private final Jedis server;
    private final long idleNanos = TimeUnit.SECONDS.toNanos(idleSeconds());
    private long idleSince = System.nanoTime();
    private long connectionsBefore = -1;

    private Keeper(Home home, Endpoint endpoint, Jedis server) {
        this.home = home;
        this.endpoint = endpoint;
        this.server = server;
    }

    /** Keeps the server of the folder that is the argument, and any that takes its place. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Home home = new Home(Path.of(args[0]));
        try (FileChannel channel = home.open("keeper.lock");
                FileLock only = channel.tryLock()) {
            Optional<Endpoint> endpoint = Endpoint.readFrom(home.serverFile());
            System.out.println(READY);
            while (only != null && endpoint.isPresent()) {
                keep(home, endpoint.get());
                endpoint = next(home, endpoint.get(), only);
            }
        }
    }

    /**
     * The server that took the place of one that ended. If there is none, nobody may begin to start one and still find
     * this keeper.
     */
    private static Optional<Endpoint> next(Home home, Endpoint ended, FileLock only) throws IOException {
        if (!Files.isDirectory(home.folder())) {
            return Optional.empty();
        }
        try (FileChannel lock = home.lockStart()) {
            Optional<Endpoint> next = Endpoint.readFrom(home.serverFile())
                    .filter(found -> !found.equals(ended) || found.state() != Endpoint.State.GONE);
            if (next.isEmpty()) {
                only.release();
            }
            return next;
        }
    }

    /**
     * Until the server has ended. One that is not there yet may be about to come, and one that stands still for a while
     * is still there.
     */
    private static void keep(Home home, Endpoint endpoint) throws IOException, InterruptedException {
        boolean came = EmbeddedRedis.until(() -> endpoint.state() != Endpoint.State.GONE);
        while (came && endpoint.state() != Endpoint.State.GONE) {
            try (Jedis server = endpoint.connect()) {
                new Keeper(home, endpoint, server).keep();
            } catch (JedisException trouble) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    /** What the environment says, or five minutes. */
    static long idleSeconds() {
        String told = System.getenv(IDLE_ENVIRONMENT);
        if (told == null || told.matches("[1-9][0-9]{0,5}")) {
            return told == null ? IDLE_SECONDS : Long.parseLong(told);
        }
        throw new IllegalArgumentException(
                IDLE_ENVIRONMENT + " is '" + told + "', expected a number of seconds from 1 to 999999");
    }

    private void keep() throws IOException, InterruptedException {
        while (true) {
            TimeUnit.NANOSECONDS.sleep(idleNanos / LOOKS_PER_IDLE);
            if (!isQuiet()) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince >= idleNanos) {
                if (end()) {
                    return;
                }
                idleSince = System.nanoTime();
            }
        }
    }

    /** Ends the server, unless somebody came meanwhile. If its folder was deleted, nobody can find it any more. */
    private boolean end() throws IOException {
        if (!Files.isDirectory(home.folder())) {
            server.shutdown();
            return true;
        }
        try (FileChannel lock = home.lockStart()) {
            boolean quiet = isQuiet();
            if (quiet) {
                if (Endpoint.readFrom(home.serverFile()).equals(Optional.of(endpoint))) {
                    Files.delete(home.serverFile());
                }
                server.shutdown();
            }
            return quiet;
        }
    }

    /** Nobody but this process is connected or has been since the last look, and nothing is stored. */
    private boolean isQuiet() {
        String info = server.info("clients") + server.info("stats");
        long connections = number(info, "total_connections_received");
        boolean same = connections == connectionsBefore;
        connectionsBefore = connections;
        return same && number(info, "connected_clients") <= 1 && server.dbSize() == 0;
    }

    private static long number(String info, String field) {
        Matcher found =
                Pattern.compile("^" + field + ":([0-9]+)", Pattern.MULTILINE).matcher(info);
        return found.find() ? Long.parseLong(found.group(1)) : Long.MAX_VALUE;
    }
}
