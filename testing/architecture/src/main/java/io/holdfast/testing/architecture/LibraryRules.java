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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Laws that every library module obeys. Each method throws an {@link AssertionError} that names what breaks it. */
public final class LibraryRules {
    private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\s*\\(");
    private static final Pattern EXPORTS = Pattern.compile("\\bexports ([\\w.]+);");
    private static final Pattern PUBLIC_TYPE = Pattern.compile("(?m)^public ");
    private static final Pattern PUBLIC_INTERFACE = Pattern.compile("(?m)^public interface ");

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
        exportedTypesSayWhatTheyAre(sources);
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
        for (Path each : files(sources)) {
            if (MONITOR.matcher(Files.readString(each)).find()) {
                throw new AssertionError(each + " uses a monitor; use a ReentrantLock");
            }
        }
    }

    /**
     * What a module exports says since when it is there, and each interface says who may implement it.
     *
     * @param sources where the sources of the module are, with its {@code module-info.java}
     */
    public static void exportedTypesSayWhatTheyAre(Path sources) throws IOException {
        Matcher exported = EXPORTS.matcher(Files.readString(sources.resolve("module-info.java")));
        while (exported.find()) {
            Path folder = sources.resolve(exported.group(1).replace('.', '/'));
            for (Path each : files(sources)) {
                String text = Files.readString(each);
                if (!folder.equals(each.getParent())
                        || !PUBLIC_TYPE.matcher(text).find()) {
                    continue;
                }
                if (!text.contains("@since")) {
                    throw new AssertionError(each + " has no @since");
                }
                if (PUBLIC_INTERFACE.matcher(text).find() && !text.contains("<b>Implementing.</b>")) {
                    throw new AssertionError(each + " does not say who may implement it");
                }
            }
        }
    }

    private static List<Path> files(Path sources) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(sources)) {
            all = files.filter(each -> each.toString().endsWith(".java")).toList();
        }
        if (all.isEmpty()) {
            throw new AssertionError("there is no source in " + sources.toAbsolutePath());
        }
        return all;
    }
}
