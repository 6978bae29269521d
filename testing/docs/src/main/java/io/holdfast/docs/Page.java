package io.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * One Markdown file.
 *
 * @param name its path from the root of the repository, with slashes
 * @param lines what it says; the first line is number 1
 */
record Page(String name, List<String> lines) {
    /** Where pages in Chinese are, each under the name that the English page has in {@code docs}. */
    static final String CHINESE = "docs/zh/";

    /** The root of the repository, from where the build runs a module's tests. */
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    static Page read(Path file) {
        try {
            return new Page(ROOT.relativize(file).toString().replace('\\', '/'), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The pages whose code is run: a translation has the code of its original, which is run there. */
    static List<Page> originals() {
        return all().stream().filter(page -> !page.isTranslation()).toList();
    }

    /** Compared with its original, and not run. */
    boolean isTranslation() {
        return name.startsWith(CHINESE);
    }

    /** What is written for people, wherever it is. */
    static List<Page> all() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return isOurs(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".md")) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.stream().sorted().map(Page::read).toList();
    }

    /** Not what a build or a tool has put there. */
    private static boolean isOurs(Path folder) {
        String name = ROOT.relativize(folder).toString();
        return !folder.endsWith("target") && !name.startsWith(".");
    }

    Path file() {
        return ROOT.resolve(name);
    }

    /** Where something is, as editors and terminals understand it. */
    String at(int line) {
        return name + ":" + line;
    }
}
