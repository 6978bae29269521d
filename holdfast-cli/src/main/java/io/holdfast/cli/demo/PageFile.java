package io.holdfast.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The file that the page goes to. Tried before the acts begin, so that nobody watches for nothing. */
final class PageFile {
    private final Path file;

    private PageFile(Path file) {
        this.file = file;
    }

    /** @throws IllegalArgumentException if it cannot be written */
    static PageFile claim(Path file) {
        PageFile page = new PageFile(file);
        boolean there = Files.exists(file);
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            if (!there) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("--html: " + file + " cannot be written (" + page.reason(e) + ")", e);
        }
        return page;
    }

    /** Why it could not be written, in a few words. */
    String reason(IOException failure) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return "it is a folder";
        }
        if (folder != null && !Files.isDirectory(folder)) {
            return "there is no folder " + folder;
        }
        return failure instanceof AccessDeniedException ? "permission denied" : "the system refuses: " + failure;
    }

    void write(Scale scale, List<Outcome> outcomes) throws IOException {
        Files.writeString(file, Page.of(scale, outcomes), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
