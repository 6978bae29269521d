package io.holdfast.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that something goes to. Tried before the acts begin, so that nobody watches for nothing. */
final class PageFile {
    private final String option;
    private final Path file;

    private PageFile(String option, Path file) {
        this.option = option;
        this.file = file;
    }

    /** @throws IllegalArgumentException if it cannot be written */
    static PageFile claim(String option, Path file) {
        PageFile page = new PageFile(option, file);
        boolean there = Files.exists(file);
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            if (!there) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(option + ": " + file + " cannot be written (" + page.reason(e) + ")", e);
        }
        return page;
    }

    /** What asked for it. */
    String option() {
        return option;
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

    void write(String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
