package io.holdfast.cli.embedded;

import io.holdfast.testing.process.BundledProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;

/** The redis-server that comes with this program. */
final class RedisProgram {
    private RedisProgram() {}

    /** Brings it to a folder, once. Another process never sees half of it. */
    static Path in(Path folder) {
        String name = name();
        if (!BundledProgram.isThere(name)) {
            throw new IllegalArgumentException("there is no embedded Redis for " + System.getProperty("os.name")
                    + " on " + System.getProperty("os.arch") + "; start a Redis and name it with --url");
        }
        Path program = folder.resolve(name);
        try {
            BundledProgram.write(name, program, "rwx------");
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
