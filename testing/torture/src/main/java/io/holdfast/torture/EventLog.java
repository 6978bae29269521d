package io.holdfast.torture;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a worker has seen, one line each, handed to the system at once: whatever is written survives a kill.
 *
 * <pre>
 * W nanos thread subject                      begins to wait
 * N nanos thread subject why                  has waited in vain
 * A nanos thread subject weight token until   has the lease in its hands, valid until then at least
 * E nanos thread subject token                the lease ended, or the release call comes next
 * S nanos thread subject token                a valid lease was refused by the fence
 * L nanos text                                a lock that was lost gave trouble to the next one, in words
 * T nanos text                                something that must not be, in words
 * C nanos acquired released lost              the client is closed; what its listener was told
 * </pre>
 *
 * Thread-safe.
 */
final class EventLog implements AutoCloseable {
    /** Not a channel: those are closed by an interrupt. */
    private final OutputStream file;

    EventLog(Path path) {
        try {
            file = new FileOutputStream(path.toFile(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(char what, long nanos, Object... words) {
        StringBuilder line = new StringBuilder(64).append(what).append(' ').append(nanos);
        for (Object word : words) {
            line.append(' ').append(word);
        }
        line.append('\n');
        byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (file) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
