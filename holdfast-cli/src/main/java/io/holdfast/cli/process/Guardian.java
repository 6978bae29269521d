package io.holdfast.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A shell that ends a command when this process is gone and cannot do it any more. It reads from a pipe that the system
 * closes with this process, in whatever way it ends. Also sends signals, which Java cannot.
 *
 * <p>It ignores what is typed on the terminal, and has nothing of the command's: no stream, no folder. Where the system
 * can do it, it has a session of its own, so that who kills our whole group does not kill it too. If it is killed all
 * the same, another one takes its place as soon as there is something to say.
 */
final class Guardian {
    private static final String SCRIPT = "guardian.sh";
    private static final int TICK_MILLIS = 100;

    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private final Duration grace;
    private OutputStream pipe;
    private Optional<String> watched = Optional.empty();

    private Guardian(Duration grace) throws IOException {
        this.grace = grace;
        this.pipe = begin(grace);
    }

    /** Starts one. It has nothing to guard yet. */
    static Guardian start(Duration grace) throws IOException {
        return new Guardian(grace);
    }

    private static OutputStream begin(Duration grace) throws IOException {
        long ticks = (grace.toMillis() + TICK_MILLIS - 1) / TICK_MILLIS;
        List<String> command = new ArrayList<>(Files.isExecutable(SETSID) ? List.of(SETSID.toString()) : List.of());
        command.addAll(List.of("sh", "-c", script(), "holdfast-guardian", String.valueOf(ticks)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return builder.start().getOutputStream();
    }

    private static String script() {
        try (InputStream text = Guardian.class.getResourceAsStream(SCRIPT)) {
            if (text == null) {
                throw new IllegalStateException(SCRIPT + " is not in the archive");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** From now on this process and its descendants end with us. */
    synchronized void watch(long pid) {
        String line = "watch " + pid;
        watched = Optional.of(line);
        tell(line);
    }

    /**
     * Sends a signal, by its name without {@code SIG}.
     *
     * @return whether there is a guardian that can do it
     */
    synchronized boolean send(String signal, long pid) {
        return tell("send " + pid + " " + signal);
    }

    /** Sends a signal to the one that is watched and to all its descendants. */
    synchronized void sendAll(String signal) {
        tell("all " + signal);
    }

    /** There is nothing to guard any more: ends the guardian. */
    synchronized void dismiss() {
        try {
            write("done");
        } catch (IOException killed) {
            log(killed);
        }
    }

    private boolean tell(String line) {
        try {
            write(line);
            return true;
        } catch (IOException killed) {
            log(killed);
            return tellAnother(line);
        }
    }

    /** Somebody killed it. The next one must first learn which process to guard. */
    private boolean tellAnother(String line) {
        try {
            pipe = begin(grace);
            if (watched.isPresent()) {
                write(watched.get());
            }
            write(line);
            return true;
        } catch (IOException none) {
            log(none);
            return false;
        }
    }

    private void write(String line) throws IOException {
        pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        pipe.flush();
    }

    private static void log(IOException gone) {
        System.getLogger(Guardian.class.getName()).log(System.Logger.Level.DEBUG, "the guardian is gone", gone);
    }
}
