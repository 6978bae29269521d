package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The server that all {@code holdfast} commands of a user on this machine share. The first command starts it, the {@link Keeper} ends it.
 *
 * <p>Notes. A command looks for the server, or starts it, under {@code start.lock}, and has been answered by it before it lets go. The keeper ends the server under the
 * same lock, and only if nobody connected since it last looked. So a server that a command has found stays for at least the idle time.
 */
public final class SharedRedis {
    private static final int TRIES = 3;

    private final Endpoint endpoint;

    private SharedRedis(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Finds the server, or starts it. */
    public static SharedRedis open() {
        Home home = Home.ofUser();
        try (FileChannel lock = home.lockStart()) {
            Optional<Endpoint> known = running(home);
            Endpoint endpoint = known.isPresent() ? known.get() : start(home);
            if (!home.isKept()) {
                startKeeper(home);
            }
            return new SharedRedis(endpoint);
        } catch (IOException failure) {
            throw new UncheckedIOException("the embedded Redis could not be used in " + home.folder(), failure);
        }
    }

    /** One that is there and does not answer is not replaced: who holds a lock in it would not meet those who come now. */
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
            Endpoint endpoint = Endpoint.fresh();
            endpoint.writeSettings(settings, home.folder(), true);
            Process launch = quiet(List.of(program.toString(), settings.toString()), home);
            if (EmbeddedRedis.until(() -> endpoint.answers() || hasFailed(launch)) && endpoint.answers()) {
                endpoint.writeTo(home.serverFile());
                return endpoint;
            }
        }
        throw new IOException("it said: " + EmbeddedRedis.lastWords(home.folder()));
    }

    /** The process that we start ends at once, with success if the server that it left behind could begin. */
    private static boolean hasFailed(Process launch) {
        return !launch.isAlive() && launch.exitValue() != 0;
    }

    /** In a session of its own: Ctrl-C and the end of this terminal are not for it. */
    private static void startKeeper(Home home) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Files.isExecutable(Path.of("/usr/bin/setsid")) ? "setsid" : "nohup");
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx16m", "-Xss256k"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Keeper.class.getName(), home.folder().toString()));
        quiet(command, home);
    }

    private static Process quiet(List<String> command, Home home) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.folder().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        return builder.start();
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
