package io.holdfast.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * A shell that ends a command when this process is gone and cannot do it any more. It reads from a pipe that the system closes with this process, in whatever way it
 * ends. Also sends signals, which Java cannot.
 *
 * <p>It ignores what is typed on the terminal, and has nothing of the command's: no stream, no folder.
 */
final class Guardian {
    private static final String SCRIPT = "guardian.sh";
    private static final int TICK_MILLIS = 100;

    private final OutputStream pipe;

    private Guardian(OutputStream pipe) {
        this.pipe = pipe;
    }

    /** Starts one. It has nothing to guard yet. */
    static Guardian start(Duration grace) throws IOException {
        long ticks = (grace.toMillis() + TICK_MILLIS - 1) / TICK_MILLIS;
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script(), "holdfast-guardian", String.valueOf(ticks))
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return new Guardian(builder.start().getOutputStream());
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
    void watch(long pid) {
        tell("watch " + pid);
    }

    /** Sends a signal, by its name without {@code SIG}. */
    void send(String signal, long pid) {
        tell("send " + pid + " " + signal);
    }

    /** There is nothing to guard any more: ends the guardian. */
    void dismiss() {
        tell("done");
    }

    private synchronized void tell(String line) {
        try {
            pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException killed) {
            // Somebody killed it. The command goes on; only our own sudden end would leave it alone now.
            System.getLogger(Guardian.class.getName()).log(System.Logger.Level.DEBUG, "the guardian is gone", killed);
        }
    }
}
