package io.holdfast.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where pages are read. Paths are from its root, with slashes.
 *
 * @param root the folder of the checkout
 */
record Repository(Path root) {
    /** The pages of the site: those at the root, and all below docs. */
    List<String> pages() {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(Files::isRegularFile)
                    .map(this::name)
                    .filter(name -> name.endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String name(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    /** What is in a folder, by name; folders end with a slash, and what builds and tools made is left out. */
    List<String> entries(String folder) {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.map(file -> file.getFileName() + (Files.isDirectory(file) ? "/" : ""))
                    .filter(name -> !name.equals("target/") && !name.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isFolder(String path) {
        return Files.isDirectory(root.resolve(path));
    }

    boolean isThere(String path) {
        return Files.exists(root.resolve(path));
    }

    String read(String path) {
        try {
            return Files.readString(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] bytes(String path) {
        try {
            return Files.readAllBytes(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
