package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings programs from the class path to the disk, once for each content: every build of this machine shares them, and
 * a program that is half written is never seen under its name.
 */
final class RedisBinaries {
    private static final Map<String, Path> EXTRACTED = new ConcurrentHashMap<>();

    private RedisBinaries() {}

    static Path extract(String resource) {
        return EXTRACTED.computeIfAbsent(resource, RedisBinaries::write);
    }

    private static Path write(String resource) {
        try (InputStream in = RedisBinaries.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("No " + resource + " on the class path");
            }
            byte[] content = in.readAllBytes();
            Path folder =
                    Path.of(System.getProperty("java.io.tmpdir"), "holdfast-redis-" + System.getProperty("user.name"));
            Path target = folder.resolve(hash(content)).resolve(resource);
            if (!Files.isExecutable(target)) {
                Files.createDirectories(target.getParent());
                Path draft = Files.createTempFile(target.getParent(), "draft", "");
                Files.write(draft, content);
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not extract " + resource, e);
        }
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
