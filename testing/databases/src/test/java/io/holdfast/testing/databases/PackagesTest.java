package io.holdfast.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be had, or is not what the distribution signed, is not unpacked, and the message says why. */
@Tag("integration")
@Tag("full")
class PackagesTest {
    @TempDir
    private Path repository;

    @TempDir
    private Path target;

    private Path archive;

    @BeforeEach
    void build() throws IOException {
        Path content = repository.resolve("hello");
        Files.createDirectories(content.resolve("DEBIAN"));
        Files.writeString(
                content.resolve("DEBIAN/control"),
                "Package: hello\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: hello\n");
        Files.writeString(content.resolve("hello.txt"), "hello");
        archive = repository.resolve("hello.deb");
        ServerProcess.run(repository.resolve("log"), List.of("dpkg-deb", "-b", content.toString(), archive.toString()));
    }

    private void index(String sha256) throws IOException {
        Files.writeString(
                repository.resolve("Packages"),
                "Package: hello\nVersion: 1\nArchitecture: all\nFilename: ./hello.deb\nSize: " + Files.size(archive)
                        + "\nSHA256: " + sha256 + "\n");
    }

    private String sha256() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive));
        return String.format("%064x", new BigInteger(1, digest));
    }

    private String source(String options) {
        return "deb [" + options + "] copy:" + repository + " ./";
    }

    @Test
    void trustedAndWhole_isUnpacked() throws Exception {
        index(sha256());
        Packages.unpack(target, source("trusted=yes"), "hello");
        assertThat(target.resolve("hello.txt")).hasContent("hello");
    }

    @Test
    void wrongChecksum_isRefused() throws Exception {
        index("0".repeat(64));
        assertThatThrownBy(() -> Packages.unpack(target, source("trusted=yes"), "hello"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Hash Sum mismatch");
    }

    @Test
    void noSignature_isRefused() throws Exception {
        index(sha256());
        Files.writeString(repository.resolve("Release"), "Origin: somebody\n");
        assertThatThrownBy(() -> Packages.unpack(target, source("signed-by=" + Packages.DEBIAN_KEYS), "hello"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not signed");
    }

    @Test
    void mirrorDoesNotAnswer_isNamed() {
        String source = "deb [signed-by=" + Packages.DEBIAN_KEYS + "] http://127.0.0.1:1/debian unstable main";
        assertThatThrownBy(() -> Packages.unpack(target, source, "hello"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("apt-get update with '" + source)
                .hasMessageContaining("nothing to test with");
    }
}
