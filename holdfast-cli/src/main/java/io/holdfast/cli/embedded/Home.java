package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the shared server: {@code HOLDFAST_HOME}, or {@code holdfast} in the user's cache folder. Nobody else
 * may look into it.
 *
 * <p>Files speak for processes: {@code server} says where it listens; the owner of {@code start.lock} may start or end
 * it; the keeper has {@code keeper.lock} as long as it lives. {@code store} says which store is used when none is
 * named, and is first written under {@code store.lock}.
 */
record Home(Path folder) {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    static Home ofUser() {
        Path own = folder("HOLDFAST_HOME");
        if (own != null) {
            if (!own.isAbsolute()) {
                throw new IllegalArgumentException("HOLDFAST_HOME is '" + own
                        + "', expected an absolute path: from another folder it would be another server");
            }
            return new Home(own).created();
        }
        Path cache = folder("XDG_CACHE_HOME");
        Path home = folder("HOME");
        Path folder = cache != null
                ? cache
                : (home != null ? home : Path.of(System.getProperty("user.home", ""))).resolve(".cache");
        if (!folder.isAbsolute()) { // a user without a home: another folder each time would be another server each time
            throw new IllegalArgumentException(
                    "this user has no home folder to remember the store in; set HOLDFAST_HOME, or name a server with --url");
        }
        return new Home(folder.resolve("holdfast")).created();
    }

    private static @Nullable Path folder(String variable) {
        String value = System.getenv(variable);
        return value == null || value.isBlank() ? null : Path.of(value);
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

    Path choiceFile() {
        return folder.resolve("store");
    }

    /** Waits until nobody else starts or ends the server. */
    FileChannel lockStart() throws IOException {
        return lock("start.lock");
    }

    /** Waits until nobody else chooses a store. */
    FileChannel lockChoice() throws IOException {
        return lock("store.lock");
    }

    private FileChannel lock(String name) throws IOException {
        FileChannel channel = open(name);
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

    /** A file that nobody else can read, and of which nobody sees half. */
    static void write(Path file, List<String> lines) {
        try {
            Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), "draft", "");
            try {
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
                Files.write(draft, lines, StandardCharsets.UTF_8, StandardOpenOption.TRUNCATE_EXISTING);
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("could not write " + file, failure);
        }
    }
}
