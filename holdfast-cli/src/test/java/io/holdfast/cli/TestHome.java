package io.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A private folder for the shared server, and the processes that work for it. */
record TestHome(Path folder) {

    static TestHome in(Path parent) {
        try {
            return new TestHome(Files.createDirectory(
                    parent.resolve("home"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Those that have this folder among their words, and a word besides. */
    List<Long> processes(String word) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid ->
                        words(pid).contains(folder.toString()) && words(pid).contains(word))
                .toList();
    }

    /** Ends those that are left, and returns them. */
    List<Long> end() {
        List<Long> left = processes("");
        left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        Outputs.awaitEnded(left.stream().mapToLong(Long::longValue).toArray());
        return left;
    }

    private static String words(long pid) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
