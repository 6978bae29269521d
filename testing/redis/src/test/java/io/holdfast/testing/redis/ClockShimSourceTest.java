package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockShimSourceTest {
    @Test
    void hex_assembledAgain_isWhatTheSourceSays(@TempDir Path folder) throws Exception {
        assumeTrue(ClockShim.isSupported());
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")) && Files.isExecutable(Path.of("/usr/bin/objcopy")));
        Files.writeString(folder.resolve("shim.s"), resource("clock_shim.s"));
        run(folder, "gcc", "-c", "shim.s", "-o", "shim.o");
        run(folder, "objcopy", "-O", "binary", "-j", ".text", "shim.o", "shim.bin");
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(folder.resolve("shim.bin"))))
                .isEqualTo(resource("clock_shim.hex").replaceAll("\\s", ""));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ClockShim.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void run(Path folder, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
