package io.holdfast.comparison;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another build of Holdfast, to be measured beside this one.
 *
 * @param folder a checkout
 */
record Build(Path folder) {
    private static final List<String> PARTS = List.of(
            "comparison/target/classes",
            "holdfast-core/target/classes",
            "holdfast-redis/target/classes",
            "testing/redis/target/classes",
            "comparison/target/lib");

    /** What older builds do not have. */
    private static final List<String> NEWER_PARTS = List.of(
            "holdfast-fence/target/classes",
            "holdfast-jdbc/target/classes",
            "holdfast-zookeeper/target/classes",
            "testing/databases/target/classes",
            "testing/process/target/classes",
            "testing/zookeeper/target/classes");

    static Build at(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "--baseline " + folder + " is no folder; name a checkout of Holdfast that was built");
        }
        Path whole = folder.toAbsolutePath().normalize();
        for (String needed : PARTS) {
            if (!Files.exists(whole.resolve(needed))) {
                throw new IllegalArgumentException("--baseline " + folder + " was not built, it has no " + needed
                        + "; run bin/bench --help in it");
            }
        }
        return new Build(whole);
    }

    /**
     * Nothing of ours: it describes its own work, so that it may have another API. What a worker is told and answers
     * must be the same.
     */
    String classPath() {
        return Stream.concat(PARTS.stream(), NEWER_PARTS.stream().filter(part -> Files.exists(folder.resolve(part))))
                .map(part -> folder.resolve(part) + (part.endsWith("lib") ? "/*" : ""))
                .collect(Collectors.joining(":"));
    }
}
