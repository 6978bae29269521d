package io.holdfast.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryRulesTest {
    private final JavaClasses good = new ClassFileImporter().importClasses(ClassCycles.class);
    private final JavaClasses bad = new ClassFileImporter().importClasses(Bad.class);

    @TempDir
    Path sources;

    /** Breaks both laws. */
    @SuppressWarnings("UnusedMethod") // read by the rules
    private static final class Bad {
        synchronized long now() {
            return System.nanoTime();
        }
    }

    @Test
    void mainClassesBeside_jar_areRead() {
        assertThat(LibraryRules.mainClassesBeside(Test.class).contain(TempDir.class))
                .isTrue();
    }

    @Test
    void laws_classesInACircle_fails() {
        JavaClasses circle = new ClassFileImporter().importPackages("io.holdfast.testing.architecture");

        assertThatThrownBy(() -> LibraryRules.areObeyed(circle, sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Hen");
    }

    @Test
    void laws_aBrokenOne_fails() {
        assertThatThrownBy(() -> LibraryRules.areObeyed(bad, sources)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> LibraryRules.areObeyed(good, sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no source");
    }

    @Test
    void mainClasses_besideATest_areNotThere() {
        assertThatThrownBy(() -> LibraryRules.mainClassesBeside(LibraryRulesTest.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("LibraryRulesTest");
    }

    @Test
    void clocks_readDirectly_fails() {
        assertThatThrownBy(() -> LibraryRules.clocksAreReadThroughTheTimeSource(bad))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nanoTime");
    }

    @Test
    void monitors_synchronizedMethod_fails() {
        assertThatThrownBy(() -> LibraryRules.monitorsAreNotUsed(bad, sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("now()");
    }

    @Test
    void monitors_synchronizedBlock_fails() throws Exception {
        Files.writeString(sources.resolve("Block.java"), "synchronized (this) {}");

        assertThatThrownBy(() -> LibraryRules.monitorsAreNotUsed(good, sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Block.java");
    }

    @Test
    void monitors_noSources_fails() {
        assertThatThrownBy(() -> LibraryRules.monitorsAreNotUsed(good, sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no source");
    }

    @Test
    void exportedType_doesNotSayWhatItIs_fails() throws IOException {
        Files.writeString(sources.resolve("module-info.java"), "module a {\n    exports a.b;\n}\n");
        Path type = Files.createDirectories(sources.resolve("a/b")).resolve("C.java");

        Files.writeString(type, "/** C. */\npublic interface C {}\n");
        assertThatThrownBy(() -> LibraryRules.exportedTypesSayWhatTheyAre(sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("C.java has no @since");

        Files.writeString(type, "/** @since 0.1 */\npublic interface C {}\n");
        assertThatThrownBy(() -> LibraryRules.exportedTypesSayWhatTheyAre(sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("who may implement it");

        String implementing = "/** <b>Implementing.</b> For users. @since 0.1 */\n";
        Files.writeString(type, implementing + "public interface C {\n    interface D {}\n}\n");
        assertThatThrownBy(() -> LibraryRules.exportedTypesSayWhatTheyAre(sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of each interface");

        Files.writeString(type, "/** <b>Implementing.</b> For users. @since 0.1 */\npublic interface C {}\n");
        LibraryRules.exportedTypesSayWhatTheyAre(sources);
    }

    @Test
    void exportedType_ofAModuleWithoutADescriptor_isFoundByItsPackage() throws IOException {
        Path type = Files.createDirectories(sources.resolve("a/b")).resolve("C.java");
        Files.writeString(type, "/** C. */\npublic interface C {}\n");

        assertThatThrownBy(() -> LibraryRules.exportedTypesSayWhatTheyAre(sources, "a.b"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("C.java has no @since");
        assertThatThrownBy(() -> LibraryRules.exportedTypesSayWhatTheyAre(sources))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a module has a descriptor, or its test names the packages");
        assertThatThrownBy(() -> LibraryRules.exportedTypesSayWhatTheyAre(sources, "a.nothing"))
                .isInstanceOf(IOException.class);
    }
}
