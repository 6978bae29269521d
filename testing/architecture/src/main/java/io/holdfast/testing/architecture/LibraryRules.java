package io.holdfast.testing.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Laws that every library module obeys. Each method throws an {@link AssertionError} that names what breaks it. */
public final class LibraryRules {
    private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\s*\\(");

    private LibraryRules() {}

    /**
     * Reads the classes of a module, without its tests.
     *
     * @param type any class of the module
     * @return all classes of the same folder or jar
     */
    public static JavaClasses mainClassesBeside(Class<?> type) {
        String place = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        ClassFileImporter importer = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests());
        JavaClasses classes = place.endsWith(".jar") ? importer.importJar(jar(place)) : importer.importPath(place);
        if (!classes.contain(type)) {
            throw new AssertionError(type + " is not among the classes of " + place);
        }
        return classes;
    }

    private static JarFile jar(String place) {
        try {
            return new JarFile(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * All of them: no class cycles, no clocks of its own, no monitors.
     *
     * @param main the classes of the module
     * @param sources where their sources are
     */
    public static void areObeyed(JavaClasses main, Path sources) throws IOException {
        List<String> cycles = ClassCycles.among(main);
        if (!cycles.isEmpty()) {
            throw new AssertionError("classes know each other in a circle: " + cycles);
        }
        clocksAreReadThroughTheTimeSource(main);
        monitorsAreNotUsed(main, sources);
    }

    /**
     * Clocks are read through the {@code TimeSource} only.
     *
     * @param main the classes of the module
     */
    public static void clocksAreReadThroughTheTimeSource(JavaClasses main) {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .check(main);
    }

    /**
     * No monitors: a thread that holds one and blocks pins the carrier of a virtual thread before Java 24.
     *
     * @param main the classes of the module
     * @param sources where their sources are
     */
    public static void monitorsAreNotUsed(JavaClasses main, Path sources) throws IOException {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(main);
        List<Path> all;
        try (Stream<Path> files = Files.walk(sources)) {
            all = files.filter(each -> each.toString().endsWith(".java")).toList();
        }
        if (all.isEmpty()) {
            throw new AssertionError("there is no source in " + sources.toAbsolutePath());
        }
        for (Path each : all) {
            if (MONITOR.matcher(Files.readString(each)).find()) {
                throw new AssertionError(each + " uses a monitor; use a ReentrantLock");
            }
        }
    }
}
