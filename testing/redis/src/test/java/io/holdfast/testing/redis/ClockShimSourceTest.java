package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** There is a test where there is an assembler for this machine. */
class ClockShimSourceTest {
    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> hex_assembledAgain_isWhatTheSourceSays() {
        boolean able = ClockShim.isSupported()
                && Stream.of("gcc", "objcopy").allMatch(tool -> Files.isExecutable(Path.of("/usr/bin", tool)));
        return able ? Stream.of(dynamicTest("as the source says", this::assemble)) : Stream.empty();
    }

    private void assemble() throws Exception {
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
