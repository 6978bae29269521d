package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs every Java block of every page that is no translation, on real servers. */
@Tag("integration")
class JavaBlocksIT {
    private static final Stage STAGE = new Stage();

    @AfterAll
    static void end() {
        STAGE.close();
    }

    @TestFactory
    Stream<DynamicTest> everyBlock_asWritten_runs(@TempDir Path classes) {
        List<Block> blocks = Page.originals().stream()
                .flatMap(page -> Blocks.of(page).found().stream())
                .filter(block ->
                        block.language().equals("java") && block.note("from").isEmpty())
                .toList();
        JavaBlocks java = new JavaBlocks(blocks, STAGE, classes, Duration.ofSeconds(30));

        assertThat(java.compile()).isEmpty();
        return java.sources().stream()
                .map(source -> DynamicTest.dynamicTest(
                        source.block().where(),
                        () -> assertThat(java.run(source)).isEmpty()));
    }
}
