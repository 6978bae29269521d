package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that no server outlives this JVM, even if the JVM is killed and runs no shutdown hook.
 *
 * <p>A shell waits at the end of a pipe from this JVM and is told of each server that starts or ends. The system closes
 * the pipe when the JVM is gone, in whatever way; the shell then kills what is left.
 */
final class Guardian {
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            pids=' '
            while read -r what pid; do
              case $what in
                started) pids="$pids$pid " ;;
                ended) pids="${pids%% $pid *} ${pids#* $pid }" ;;
              esac
            done
            for pid in $pids; do kill -9 "$pid"; done
            """;

    private static @Nullable OutputStream pipe;

    private Guardian() {}

    static void started(long pid) {
        tell("started " + pid + "\n");
    }

    static void ended(long pid) {
        tell("ended " + pid + "\n");
    }

    private static synchronized void tell(String line) {
        try {
            if (pipe == null) {
                pipe = new ProcessBuilder("sh", "-c", SCRIPT)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .getOutputStream();
            }
            pipe.write(line.getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // Without its guard a server would still be ended by the shutdown hook.
            System.getLogger(Guardian.class.getName()).log(System.Logger.Level.WARNING, "Servers are not guarded", e);
        }
    }
}
