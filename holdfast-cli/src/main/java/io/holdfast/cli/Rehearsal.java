package io.holdfast.cli;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.cli.embedded.EmbeddedRedis;
import io.holdfast.cli.embedded.SharedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Does once what people do most, on a store of its own: the launcher has the JVM record which classes that takes, and
 * throws the output away. Where there is no embedded Redis, only what needs none.
 */
public final class Rehearsal {
    private static final String NAME = "rehearsal";

    private Rehearsal() {}

    /** Runs the commands. */
    public static void main(String[] args) throws IOException {
        Main.execute("--help");
        Path folder = Files.createTempDirectory("holdfast-");
        try (EmbeddedRedis redis = EmbeddedRedis.start(folder)) {
            String url = "--url=" + redis.url();
            Main.execute("run", NAME, url, "--", "true");
            try (LockClient holder = SharedRedis.builder(redis.url()).connect();
                    Lease held = holder.lock(NAME).acquire()) {
                Main.execute("ls", url);
                Main.execute("ls", url, "--json");
                Main.execute("show", held.name(), url);
            }
        } catch (RuntimeException unavailable) {
            // then the archive has less in it
        } finally {
            delete(folder);
        }
        System.exit(ExitCodes.OK);
    }

    private static void delete(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.forEach(files::add);
        }
        for (int i = files.size() - 1; i >= 0; i--) {
            Files.delete(files.get(i));
        }
    }
}
