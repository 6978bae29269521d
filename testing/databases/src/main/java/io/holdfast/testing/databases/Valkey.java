package io.holdfast.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A server that speaks Redis and is another one. Taken from Debian's packages; no Maven repository has it. */
public final class Valkey {
    private Valkey() {}

    /**
     * Brings the server to the disk, if it is not there yet.
     *
     * @return a program that takes what {@code redis-server} takes
     */
    public static Path program() {
        Packages packages = Packages.valkey();
        Path program = packages.path("/usr/bin/valkey-with-its-libraries");
        String command = String.join("' '", packages.command("/usr/bin/valkey-server"));
        try {
            if (!Files.exists(program)) {
                Path draft = Files.createTempFile(program.getParent(), "draft", "");
                Files.writeString(draft, "#!/bin/sh\nexec '" + command + "' \"$@\"\n");
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(draft, program, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            }
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
