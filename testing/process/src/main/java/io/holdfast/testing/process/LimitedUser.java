package io.holdfast.testing.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A user that may start only so many threads: a real limit of the operating system. It does not bind root, so a process
 * of root's runs as a user that nobody else is; any other user's counts what that user has already.
 */
public final class LimitedUser {
    private static final int STRANGER = 40_000;
    private static final int STRANGERS = 20_000;

    private LimitedUser() {}

    /** Tells whether this JVM can run a process as somebody else. */
    public static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /**
     * Returns what stands before a command, so that it runs under the limit.
     *
     * @param moreThreads how many threads the command may start
     * @return the beginning of the command
     */
    public static List<String> command(int moreThreads) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            long user = STRANGER + ProcessHandle.current().pid() % STRANGERS;
            command.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
            command.addAll(List.of("prlimit", "--nproc=" + moreThreads));
        } else {
            command.addAll(List.of("prlimit", "--nproc=" + (threadsOfThisUser() + moreThreads)));
        }
        return command;
    }

    private static long threadsOfThisUser() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            Object owner = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return processes
                    .filter(each -> each.getFileName().toString().matches("\\d+"))
                    .mapToLong(each -> threads(each, owner))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long threads(Path process, Object owner) {
        try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
            return owner.equals(Files.getAttribute(process, "unix:uid")) ? tasks.count() : 0;
        } catch (IOException | UncheckedIOException ended) {
            return 0;
        }
    }

    /**
     * Copies parts of a class path to where another user may read them.
     *
     * @param folder where to; another user may read it from now on
     * @param entries files and folders
     * @return the class path of the copies
     */
    public static String readable(Path folder, List<Path> entries) {
        List<String> copies = new ArrayList<>();
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            for (Path entry : entries) {
                Path copy = folder.resolve("cp" + copies.size());
                Folders.copy(entry, copy);
                makeReadable(copy);
                copies.add(copy.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void makeReadable(Path copy) throws IOException {
        try (Stream<Path> all = Files.walk(copy)) {
            for (Path each : all.toList()) {
                Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }
}
