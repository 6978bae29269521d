package io.holdfast.testing.process;

import java.io.FileNotFoundException;
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

/** Brings programs from the class path to the disk. A program that is half written is never seen under its name. */
public final class BundledProgram {
    private static final Map<String, Path> SHARED = new ConcurrentHashMap<>();

    private BundledProgram() {}

    /**
     * Tells whether a program is on the class path.
     *
     * @param resource its name there
     * @return false if this machine has none
     */
    public static boolean isThere(String resource) {
        return BundledProgram.class.getClassLoader().getResource(resource) != null;
    }

    /**
     * Writes a program, unless it is there already.
     *
     * @param resource its name on the class path
     * @param target where to, in a folder that exists
     * @param permissions who may run it, as {@code ls} shows them
     * @throws IOException if it cannot be read or written
     */
    public static void write(String resource, Path target, String permissions) throws IOException {
        if (Files.isExecutable(target)) {
            return;
        }
        Path draft = Files.createTempFile(target.toAbsolutePath().getParent(), "program", ".draft");
        try {
            Files.write(draft, content(resource));
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(permissions));
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /**
     * Writes a program once for each content: every build of this user on this machine shares it.
     *
     * @param resource its name on the class path
     * @return where it is
     * @throws UncheckedIOException if it cannot be read or written
     */
    public static Path shared(String resource) {
        return SHARED.computeIfAbsent(resource, BundledProgram::writeShared);
    }

    private static Path writeShared(String resource) {
        try {
            Path folder =
                    Path.of(System.getProperty("java.io.tmpdir"), "holdfast-redis-" + System.getProperty("user.name"));
            Path target = folder.resolve(hash(content(resource))).resolve(resource);
            Files.createDirectories(target.getParent());
            write(resource, target, "rwxr-xr-x");
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not extract " + resource, e);
        }
    }

    private static byte[] content(String resource) throws IOException {
        try (InputStream in = BundledProgram.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new FileNotFoundException("No " + resource + " on the class path");
            }
            return in.readAllBytes();
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
