package io.holdfast.testing.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Jars with the oldest versions that Holdfast promises to work with. They have the same contents as newer ones that are
 * on the class path, so they lie in a folder, which the system property {@code holdfast.oldest} names.
 */
final class OldestVersions {
    private OldestVersions() {}

    static Path jar(String artifact) {
        String folder = System.getProperty("holdfast.oldest", "");
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.getFileName().toString().startsWith(artifact + "-"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no " + artifact + " in " + folder));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no folder '" + folder + "' with the oldest versions: the profile full fills it", e);
        }
    }
}
