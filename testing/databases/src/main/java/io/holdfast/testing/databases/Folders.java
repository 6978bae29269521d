package io.holdfast.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders and what is in them. */
final class Folders {
    private Folders() {}

    static Path temporary(String purpose) {
        try {
            return Files.createTempDirectory("holdfast-" + purpose + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does it belong to root? What this JVM has made belongs to whom it runs as. */
    static boolean isOfRoot(Path path) {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void give(Path folder, int user) {
        try {
            Files.setAttribute(folder, "unix:uid", user);
            Files.setAttribute(folder, "unix:gid", user);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not give " + folder + " to user " + user, e);
        }
    }

    /** A folder with all that is in it. */
    static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (NoSuchFileException e) {
            // Gone already.
        } catch (IOException e) {
            throw new UncheckedIOException("Could not delete " + folder, e);
        }
    }
}
