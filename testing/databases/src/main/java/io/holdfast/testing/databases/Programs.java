package io.holdfast.testing.databases;

import io.holdfast.testing.process.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.JarFile;
import org.tukaani.xz.XZInputStream;

/**
 * Brings programs from the class path to the disk, once per machine and version: every build shares them, and what is
 * half written is never seen under its name.
 */
final class Programs {
    private Programs() {}

    /** Fills a folder. */
    interface Writer {
        void write(Path folder) throws IOException;
    }

    /** Everything in a {@code .tar.xz}; returns the folder that has it. */
    static Path unpacked(String archive) {
        return once(carrier(archive), folder -> untar(open(archive), folder));
    }

    /** The same from a jar that is not on the class path. */
    static Path unpacked(Path jar, String archive) {
        return once(jar.getFileName().toString(), folder -> {
            try (JarFile file = new JarFile(jar.toFile())) {
                untar(file.getInputStream(file.getEntry(archive)), folder);
            }
        });
    }

    /** One program by itself; returns the folder that has it, under the last part of its name. */
    static Path program(String resource) {
        return once(carrier(resource), folder -> {
            Path target = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
            try (InputStream in = open(resource)) {
                Files.copy(in, target);
            }
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        });
    }

    /** A folder that is filled once; returns it. */
    static synchronized Path once(String name, Writer writer) {
        Path home =
                Path.of(System.getProperty("java.io.tmpdir"), "holdfast-databases-" + System.getProperty("user.name"));
        Path target = home.resolve(name);
        if (Files.isDirectory(target)) {
            return target;
        }
        try {
            Files.createDirectories(home);
            readableByAll(home);
            Path draft = Files.createTempDirectory(home, "draft");
            try {
                writer.write(draft);
                readableByAll(draft);
                Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                Folders.delete(draft);
                // Unless another build was faster.
                if (!Files.isDirectory(target)) {
                    throw e;
                }
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not bring " + name + " to the disk: " + e.getMessage(), e);
        }
    }

    /** The server may run as another user than this JVM. */
    private static void readableByAll(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The name of the archive that has the resource: its version is part of it. */
    private static String carrier(String resource) {
        URL url = Programs.class.getClassLoader().getResource(resource);
        if (url == null) {
            throw new IllegalStateException("No " + resource + " on the class path: there is none for "
                    + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
        }
        String path = url.getPath();
        String jar = path.substring(0, path.lastIndexOf("!/"));
        return jar.substring(jar.lastIndexOf('/') + 1);
    }

    private static InputStream open(String resource) throws IOException {
        InputStream in = Programs.class.getClassLoader().getResourceAsStream(resource);
        if (in == null) {
            throw new IOException("no " + resource + " on the class path");
        }
        return in;
    }

    private static void untar(InputStream archive, Path folder) throws IOException {
        Process tar = new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream in = new XZInputStream(archive);
                OutputStream out = tar.getOutputStream()) {
            in.transferTo(out);
        }
        ServerProcess.expectSuccess("tar", tar);
    }
}
