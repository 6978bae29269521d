package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where a server that was started waits until it may go on: a part of its configuration that has no end before this is
 * closed.
 */
final class Threshold implements AutoCloseable {
    private final Path path;
    private final RandomAccessFile end;

    private Threshold(Path path, RandomAccessFile end) {
        this.path = path;
        this.end = end;
    }

    static Threshold in(Path dir) {
        Path path = dir.resolve("threshold");
        try {
            Files.deleteIfExists(path);
            int status = new ProcessBuilder("mkfifo", path.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("mkfifo " + path + " ended with " + status);
            }
            return new Threshold(path, new RandomAccessFile(path.toFile(), "rw"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while making " + path, e);
        }
    }

    Path path() {
        return path;
    }

    /** Returns when the server reads here, or has ended. Before that, closing would let it wait for ever. */
    void awaitArrival(RedisProcess server) {
        Await.until("process " + server.pid() + " reads its configuration", () -> !server.isAlive() || isRead(server));
    }

    private boolean isRead(RedisProcess server) {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(server.pid()), "fd"))) {
            return open.anyMatch(this::isHere);
        } catch (IOException | UncheckedIOException gone) {
            return false;
        }
    }

    private boolean isHere(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(path);
        } catch (IOException closed) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            end.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
