package io.holdfast.comparison;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Another build of Holdfast, to be measured beside this one.
 *
 * @param folder a checkout
 */
record Build(Path folder) {
    private static final String CORE = "holdfast-core/target/classes";
    private static final String REDIS = "holdfast-redis/target/classes";
    private static final String LIBRARIES = "comparison/target/lib";

    static Build at(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "--baseline " + folder + " is no folder; name a checkout of Holdfast that was built");
        }
        Path whole = folder.toAbsolutePath().normalize();
        for (String needed : List.of(CORE, REDIS, LIBRARIES)) {
            if (!Files.exists(whole.resolve(needed))) {
                throw new IllegalArgumentException("--baseline " + folder + " was not built, it has no " + needed
                        + "; run bin/bench --help in it");
            }
        }
        return new Build(whole);
    }

    /**
     * Its classes before ours: the work is described by this build, and done by that one. Libraries that only that one
     * needs come last.
     */
    String classPath() {
        return String.join(
                ":",
                folder.resolve(CORE).toString(),
                folder.resolve(REDIS).toString(),
                System.getProperty("java.class.path"),
                folder.resolve(LIBRARIES) + "/*");
    }
}
