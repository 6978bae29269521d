package io.holdfast.cli.embedded;

import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisLocksBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The server that all {@code holdfast} commands of a user on this machine share. The first command starts it, the
 * {@link Keeper} ends it.
 *
 * <p>Notes. A command looks for the server, or starts it, under {@code start.lock}, and has been answered by it before
 * it lets go. The keeper ends the server under the same lock, and only if nobody connected since it last looked. So a
 * server that a command has found stays for at least the idle time.
 *
 * <p>A command may be ended at any moment, by Ctrl-C for instance. So before there is a server, the file says where it
 * will be, and a keeper has read that.
 */
public final class SharedRedis {
    private static final int TRIES = 3;

    private final Endpoint endpoint;

    private SharedRedis(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Finds the server, or starts it. */
    public static SharedRedis open() {
        Keeper.idleSeconds();
        if (!OwnSockets.canTell()) {
            throw new IllegalArgumentException(
                    "this system does not say whose server listens on a port (/proc/net/tcp), so"
                            + " another user could stand in for the embedded Redis; start a Redis and name it with --url");
        }
        Home home = Home.ofUser();
        try (FileChannel lock = home.lockStart()) {
            Optional<Endpoint> known = running(home);
            if (known.isEmpty()) {
                return new SharedRedis(start(home));
            }
            keep(home);
            return new SharedRedis(known.get());
        } catch (IOException failure) {
            throw new UncheckedIOException("the embedded Redis could not be used in " + home.folder(), failure);
        }
    }

    /**
     * A server that is there and does not answer is not replaced: new commands would not see the holders of locks in
     * it.
     */
    private static Optional<Endpoint> running(Home home) throws IOException {
        Optional<Endpoint> known = Endpoint.readFrom(home.serverFile());
        if (known.isPresent() && !EmbeddedRedis.until(() -> known.get().state() != Endpoint.State.SILENT)) {
            throw new IOException("the one at " + known.get().address() + " does not answer, and locks may be held"
                    + " in it. If it hangs for good, end it, or name another server with --url");
        }
        return known.filter(Endpoint::answers);
    }

    private static Endpoint start(Home home) throws IOException {
        Path program = RedisProgram.in(home.folder());
        Path settings = home.folder().resolve("redis.conf");
        for (int i = 0; i < TRIES; i++) {
            Endpoint endpoint = i == 0 ? former(home).orElseGet(Endpoint::fresh) : Endpoint.fresh();
            endpoint.writeTo(home.serverFile());
            keep(home);
            endpoint.writeSettings(settings, home.folder(), true);
            Process launch = quiet(List.of(program.toString(), settings.toString()), home)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (EmbeddedRedis.until(() -> endpoint.answers() || hasFailed(launch)) && endpoint.answers()) {
                return endpoint;
            }
        }
        throw new IOException("it said: " + EmbeddedRedis.lastWords(home.folder()));
    }

    /**
     * At the address of the previous server, if that is free: holders of locks in that one learn that they are
     * forgotten.
     */
    private static Optional<Endpoint> former(Home home) {
        return Endpoint.readFrom(home.serverFile()).filter(Endpoint::isFree);
    }

    /** The process that we start ends at once, with success if the server that it left behind could begin. */
    private static boolean hasFailed(Process launch) {
        return !launch.isAlive() && launch.exitValue() != 0;
    }

    /** Returns once a keeper is there. */
    private static void keep(Home home) throws IOException {
        if (home.isKept()) {
            return;
        }
        try (BufferedReader words = quiet(keeper(home), home).start().inputReader()) {
            if (words.lines().noneMatch(Keeper.READY::equals)) {
                throw new IOException("its keeper could not be started");
            }
        }
    }

    /** In a session of its own, where the system can do it: Ctrl-C and the end of this terminal are not for it. */
    private static List<String> keeper(Home home) {
        boolean session = Files.isExecutable(Path.of("/usr/bin/setsid"));
        List<String> command = new ArrayList<>(
                session ? List.of("setsid") : List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx16m", "-Xss256k"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Keeper.class.getName(), home.folder().toString()));
        return command;
    }

    private static ProcessBuilder quiet(List<String> command, Home home) {
        return new ProcessBuilder(command)
                .directory(home.folder().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    /**
     * The builder of a client for this URL. If it names an embedded server, the client talks to that server only, not
     * to another process in its place.
     */
    public static RedisLocksBuilder builder(String url) {
        RedisLocksBuilder builder = RedisLocks.builder(url);
        return Endpoint.of(url).map(each -> builder.sockets(each.sockets())).orElse(builder);
    }

    /** How to connect, password included. */
    public String url() {
        return endpoint.url();
    }

    /** Where it listens. */
    public String address() {
        return endpoint.address();
    }
}
