package io.holdfast.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Folders and what is in them. Trouble with them is an {@link UncheckedIOException}. */
public final class Folders {
    private Folders() {}

    /**
     * Makes a folder of a new name.
     *
     * @param purpose a part of its name
     * @return the folder
     */
    public static Path temporary(String purpose) {
        try {
            return Files.createTempDirectory("holdfast-" + purpose + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a folder, and those around it.
     *
     * @param folder may be there already
     */
    public static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns what is in a folder.
     *
     * @param folder which
     * @return its files and folders, not what is in those
     */
    public static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Copies a file or a folder, with all that is in it.
     *
     * @param from which
     * @param to where nothing is
     */
    public static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (Files.isDirectory(from)) {
            list(from).forEach(entry -> copy(entry, to.resolve(entry.getFileName())));
        }
    }

    /**
     * Deletes a file or a folder, with all that is in it. Files that go away meanwhile are no trouble.
     *
     * @param path need not be there
     */
    public static void delete(Path path) {
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not delete " + path, e);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
            if (e != null) {
                throw e;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
