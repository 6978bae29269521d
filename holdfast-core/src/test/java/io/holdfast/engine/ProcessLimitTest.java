package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real limit of the operating system on the number of threads. It does not bind root, so a process of root's starts
 * {@link LimitedProcess} as a user that nobody else is; any other user's counts what that user has already.
 */
class ProcessLimitTest {
    private static final int MORE_THREADS = 60;
    private static final int STRANGER = 40_000;
    private static final int STRANGERS = 20_000;

    @Test
    void loss_userMayStartNoMoreThreads_answeredRenewedAndToldLater(@TempDir Path folder) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path main = copy(LockEngine.class, folder.resolve("main"));
        Path test = copy(LimitedProcess.class, folder.resolve("test"));
        Path output = folder.resolve("output");
        List<String> command = limited();
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx64m",
                "-cp",
                main + ":" + test,
                LimitedProcess.class.getName()));

        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
                .containsPattern("no more threads after \\d{1,2} of 5000")
                .contains("seen: every brief lease is over")
                .contains("seen: the kept lease is renewed")
                .contains("seen: every loss is told")
                .contains("seen: a later loss is told")
                .contains("kept is valid")
                .endsWith("done\n")
                .doesNotContain("OutOfMemoryError");
    }

    private static List<String> limited() throws IOException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            long user = STRANGER + ProcessHandle.current().pid() % STRANGERS;
            command.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
            command.addAll(List.of("prlimit", "--nproc=" + MORE_THREADS));
        } else {
            command.addAll(List.of("prlimit", "--nproc=" + (threadsOfThisUser() + MORE_THREADS)));
        }
        return command;
    }

    private static long threadsOfThisUser() throws IOException {
        Object owner = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(each -> each.getFileName().toString().matches("\\d+"))
                    .mapToLong(each -> threads(each, owner))
                    .sum();
        }
    }

    private static long threads(Path process, Object owner) {
        try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
            return owner.equals(Files.getAttribute(process, "unix:uid")) ? tasks.count() : 0;
        } catch (IOException | UncheckedIOException ended) {
            return 0;
        }
    }

    /** Another user may not read where this one builds. */
    private static Path copy(Class<?> one, Path target) throws Exception {
        Path source =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> all = Files.walk(source)) {
            for (Path each : all.filter(
                            path -> Files.isDirectory(path) || path.toString().endsWith(".class"))
                    .toList()) {
                Path copied = target.resolve(source.relativize(each).toString());
                Files.copy(each, copied);
                Files.setPosixFilePermissions(copied, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        return target;
    }
}
