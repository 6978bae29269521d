package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Types every command of every page that is no translation, at the root of the repository. */
@Tag("integration")
class ShellBlocksIT {
    private static final Stage STAGE = new Stage();

    static final List<LeftOut> LEFT_OUT = List.of(
            new LeftOut("mvn", "", "is this very build, or another one inside it"),
            new LeftOut("java -jar benchmarks/target/holdfast-benchmarks.jar", "", "takes minutes"),
            new LeftOut("java -Xmx1g -cp benchmarks/target/holdfast-benchmarks.jar", "", "takes minutes"),
            new LeftOut(
                    "./holdfast demo",
                    "holdfast-cli/src/main/java/io/holdfast/cli/demo",
                    "is run by the demo's own test"),
            new LeftOut("bin/torture", "testing/torture/src/main", "builds, and takes minutes"),
            new LeftOut("bin/simulate", "testing/simulation/src/main", "builds, and takes minutes"),
            new LeftOut("bin/check-spec", "testing/spec/src/main", "builds, and takes minutes"),
            new LeftOut("bin/install", "", "is another build inside this one"),
            new LeftOut("bin/site", "testing/site/src/main", "builds, and serves until it is stopped"),
            new LeftOut("bin/release", "testing/release/src", "builds twice, and takes minutes"),
            new LeftOut("bin/bench", "comparison/src/main", "builds, and takes minutes"),
            new LeftOut("bin/bench-memory", "benchmarks/src/main", "builds, and takes minutes"),
            new LeftOut("bin/bench-spring", "comparison/spring/src/main", "builds, and takes minutes"));

    @TempDir
    static Path folder;

    @AfterAll
    static void end() throws IOException {
        STAGE.close();
        endServer(folder.resolve("home/server"));
    }

    /** The Redis that commands without a URL have started, and that would stay for a while. */
    private static void endServer(Path file) throws IOException {
        if (Files.exists(file)) {
            String[] address = Files.readString(file).strip().split(" ", -1);
            try (Jedis server = new Jedis("127.0.0.1", Integer.parseInt(address[0]))) {
                server.auth(address[1]);
                server.shutdown();
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyBlock_typed_succeeds() {
        ShellBlocks shell = new ShellBlocks(STAGE, folder, LEFT_OUT, Duration.ofMinutes(2));
        return Page.originals().stream()
                .flatMap(page -> Blocks.of(page).found().stream())
                .filter(block -> block.language().equals("sh"))
                .map(block -> DynamicTest.dynamicTest(
                        block.where(), () -> assertThat(shell.run(block)).isEmpty()));
    }
}
