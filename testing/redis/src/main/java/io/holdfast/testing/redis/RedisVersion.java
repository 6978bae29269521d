package io.holdfast.testing.redis;

import io.holdfast.testing.process.BundledProgram;
import java.nio.file.Path;

/**
 * The Redis releases that tests run against.
 *
 * <p>The system property {@code holdfast.redis.server} names another redis-server to use in their place, whichever of
 * them is asked for.
 */
public enum RedisVersion {
    /** The oldest release with the multi-part append-only file. */
    V7_0("7.0", "redis-server-7.0.15-linux-amd64", "redis-server-7.0.15-linux-arm64"),
    /** The oldest release that is supported. */
    V6_2("6.2", "redis-server-6.2.6-v5-linux-amd64", "redis-server-6.2.7-linux-arm64");

    private final String version;
    private final String amd64;
    private final String arm64;

    RedisVersion(String version, String amd64, String arm64) {
        this.version = version;
        this.amd64 = amd64;
        this.arm64 = arm64;
    }

    /** Major and minor version, such as {@code 7.0}. */
    public String version() {
        return version;
    }

    /** The program, ready to run. */
    public Path binary() {
        String own = System.getProperty("holdfast.redis.server");
        if (own != null && !own.isBlank()) {
            return Path.of(own).toAbsolutePath();
        }
        return BundledProgram.shared(resource());
    }

    private String resource() {
        String os = System.getProperty("os.name", "");
        String arch = System.getProperty("os.arch", "");
        if (os.startsWith("Linux")) {
            switch (arch) {
                case "amd64", "x86_64" -> {
                    return amd64;
                }
                case "aarch64", "arm64" -> {
                    return arm64;
                }
                default -> {}
            }
        }
        throw new IllegalStateException("No redis-server " + version + " for " + os + " on " + arch
                + ": name one with -Dholdfast.redis.server=<path>");
    }

    @Override
    public String toString() {
        return version;
    }
}
