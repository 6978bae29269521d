package io.holdfast.comparison;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper server in this process, on a free port, with a folder that is deleted in the end. */
final class ZooKeeperStore implements Store {
    /** A session lasts 2 seconds to 20 ticks, which is 40 seconds. */
    private static final int TICK_MILLIS = 2000;

    private final TestingServer server = start();

    private static TestingServer start() {
        try {
            return new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, -1), true);
        } catch (Exception trouble) {
            throw new IllegalStateException("ZooKeeper did not start", trouble);
        }
    }

    @Override
    public String address() {
        return server.getConnectString();
    }

    /** Of this whole process, which has little else to do while workers work. */
    @Override
    public long cpuMicros() {
        return Usage.now().cpuNanos() / 1000;
    }

    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        work.call();
        return null;
    }

    @Override
    public void close() {
        String folder = server.getTempDirectory().getPath();
        try {
            server.close();
            deleteConfiguration(folder);
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    /** The server writes its configuration beside its folder and leaves it there. */
    private static void deleteConfiguration(String folder) throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary, "zookeeper.configuration*.properties")) {
            for (Path file : files) {
                if (isAbout(folder, file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static boolean isAbout(String folder, Path file) throws IOException {
        try {
            return Files.readAllLines(file).contains("dataDir=" + folder);
        } catch (NoSuchFileException gone) {
            return false; // it was that of another server, which ended just now
        }
    }
}
