package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application processed ahead of time, as Boot's plugin does it, runs as it does otherwise. */
@Tag("integration")
@Tag("full")
class AotIT {
    private static final String PROCESSOR = "org.springframework.boot.SpringApplicationAotProcessor";

    @TempDir
    Path folder;

    @Test
    void application_processedAheadOfTime_locks() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Path resources = Files.createDirectories(folder.resolve("resources"));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Program.run(
                System.getProperty("java.class.path"),
                List.of(),
                PROCESSOR,
                AotApplication.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "io.holdfast",
                "aot");
        compile(sources, classes);
        assertThat(reflection(text(resources), AotApplication.Shipping.class)).contains("\"later\"");
        assertThat(reflection(text(resources), AotApplication.Order.class)).contains("allPublicMethods");
        assertThat(text(resources).replace("\\/", "/"))
                .contains("io/holdfast/redis/protocol/")
                .contains("io/holdfast/fence/")
                .contains("io/holdfast/jdbc/database/");

        String said = Program.run(
                classes + File.pathSeparator + resources + File.pathSeparator + System.getProperty("java.class.path"),
                List.of("-Dspring.aot.enabled=true"),
                AotApplication.class.getName());

        assertThat(said)
                .contains("Starting AOT-processed")
                .contains("held in order:42: true")
                .contains("shipped 7: true")
                .contains("later 8");
    }

    private static void compile(Path sources, Path classes) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-d", classes.toString(), "-cp", classes + File.pathSeparator + System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(each -> each.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(arguments).as("generated sources").hasSizeGreaterThan(4);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    /** What the metadata says of one type, up to the next one. */
    private static String reflection(String metadata, Class<?> type) {
        String[] types = metadata.split("\"(type|name)\"\\s*:\\s*\"" + Pattern.quote(type.getName()) + "\"", 2);
        assertThat(types).as(type + " in " + metadata).hasSize(2);
        return types[1].split("\"(type\"|name\"\\s*:\\s*\"io\\.)", 2)[0];
    }

    private static String text(Path folder) throws Exception {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(each));
            }
        }
        return all.toString();
    }
}
