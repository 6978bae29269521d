package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
    @TempDir
    Path folder;

    /** A checkout with the classes that these tests have. */
    static Path builtLike(Path parent) throws Exception {
        Path build = Files.createDirectory(parent.resolve("build"));
        link(build.resolve("holdfast-core/target/classes"), LockClient.class);
        link(build.resolve("holdfast-redis/target/classes"), RedisLocks.class);
        link(build.resolve("comparison/target/classes"), Build.class);
        link(build.resolve("testing/redis/target/classes"), RedisServer.class);
        Path libraries = Files.createDirectories(build.resolve("comparison/target/lib"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                                .filter(part -> part.endsWith(".jar"))
                                .map(part -> Path.of(part).toUri().toString())
                                .collect(Collectors.joining(" ")));
        try (OutputStream out = Files.newOutputStream(libraries.resolve("all.jar"))) {
            new JarOutputStream(out, manifest).close();
        }
        return build;
    }

    private static void link(Path place, Class<?> part) throws Exception {
        Files.createDirectories(place.getParent());
        Files.createSymbolicLink(
                place,
                Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }

    @Test
    void at_builtCheckout_hasItsOwnClassesOnly() throws Exception {
        Path build = builtLike(folder);

        assertThat(Build.at(build).classPath())
                .startsWith(build + "/comparison/target/classes:" + build + "/holdfast-core/target/classes:")
                .contains(build + "/comparison/target/lib/*")
                .doesNotContain(System.getProperty("java.class.path"));
    }

    @Test
    void at_noFolder_saysWhatToName() {
        assertThatThrownBy(() -> Build.at(folder.resolve("nowhere")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere is no folder; name a checkout of Holdfast that was built");
    }

    @Test
    void at_notBuilt_saysHowToBuild() {
        assertThatThrownBy(() -> Build.at(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was not built, it has no comparison/target/classes; run bin/bench --help in it");
    }

    @Test
    void spread_oddAndEven_liesBetweenNeighbours() {
        assertThat(Spread.of(3, 1, 2, 5, 4)).isEqualTo(new Spread(2, 3, 4));
        assertThat(Spread.of(1, 2)).hasToString("1.50 (1.25–1.75)");
        assertThat(Spread.of()).hasToString("–");
    }
}
