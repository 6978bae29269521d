package io.holdfast.cli.screen;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The output of this process. Knows whether a write failed because the reader of a pipe has gone. */
final class Outlet extends OutputStream {
    private final OutputStream target;
    private final Path link;
    private volatile boolean abandoned;

    /**
     * Writes to a stream.
     *
     * @param link what tells on Linux where it leads to
     */
    Outlet(OutputStream target, Path link) {
        super();
        this.target = target;
        this.link = link;
    }

    static Outlet standard() {
        return new Outlet(new FileOutputStream(FileDescriptor.out), Path.of("/proc/self/fd/1"));
    }

    /** Whether the reader has gone; a disk that is full is something else. */
    boolean isAbandoned() {
        return abandoned;
    }

    @Override
    public void write(int letter) throws IOException {
        write(new byte[] {(byte) letter}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            target.write(bytes, from, length);
        } catch (IOException failure) {
            abandoned = leadsToAReader(failure);
            throw failure;
        }
    }

    /** The system's words for it depend on the language; where the stream leads to does not. */
    private boolean leadsToAReader(IOException failure) {
        try {
            String goal = Files.readSymbolicLink(link).toString();
            return goal.startsWith("pipe:") || goal.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException elsewhere) {
            return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
        }
    }
}
