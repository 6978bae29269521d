package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder of the shared server: {@code HOLDFAST_HOME}, or {@code holdfast} in the user's cache folder. Nobody else may look into it.
 *
 * <p>Three files speak for processes: {@code server} says where it listens; whoever has {@code start.lock} may start or end it; the keeper has {@code
 * keeper.lock} as long as it lives.
 */
record Home(Path folder) {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    static Home ofUser() {
        String home = System.getenv("HOLDFAST_HOME");
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = home != null && !home.isBlank()
                ? Path.of(home)
                : (cache != null && !cache.isBlank()
                                ? Path.of(cache)
                                : Path.of(System.getProperty("user.home"), ".cache"))
                        .resolve("holdfast");
        return new Home(folder.toAbsolutePath()).created();
    }

    private Home created() {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder.getParent());
                Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
            }
            Set<PosixFilePermission> actual = Files.getPosixFilePermissions(folder);
            if (!PRIVATE.containsAll(actual)) {
                throw new IllegalArgumentException("the folder " + folder + " may be used by others ("
                        + PosixFilePermissions.toString(actual) + "), but the password of the embedded Redis is in it;"
                        + " say chmod 700, or set HOLDFAST_HOME to another folder");
            }
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "the folder " + folder + " cannot be used; set HOLDFAST_HOME to another one", failure);
        }
    }

    Path serverFile() {
        return folder.resolve("server");
    }

    /** Waits until nobody else starts or ends the server. */
    FileChannel lockStart() throws IOException {
        FileChannel channel = open("start.lock");
        FileLock lock = channel.lock();
        assert lock.isValid();
        return channel;
    }

    /** Whether a keeper is there. */
    boolean isKept() throws IOException {
        try (FileChannel channel = open("keeper.lock");
                FileLock lock = channel.tryLock()) {
            return lock == null;
        }
    }

    FileChannel open(String name) throws IOException {
        return FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
}
