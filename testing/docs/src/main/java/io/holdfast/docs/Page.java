package io.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * One Markdown file.
 *
 * @param name its path from the root of the repository, with slashes
 * @param lines what it says; the first line is number 1
 */
record Page(String name, List<String> lines) {
    /** The root of the repository, from where the build runs a module's tests. */
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    static Page read(Path file) {
        try {
            return new Page(ROOT.relativize(file).toString().replace('\\', '/'), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is written for people: the root's own pages and all below docs. */
    static List<Page> all() {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Page::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return ROOT.resolve(name);
    }

    /** Where something is, as editors and terminals understand it. */
    String at(int line) {
        return name + ":" + line;
    }
}
