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
    private static final Pattern EXPORTS = Pattern.compile("\\bexports ([\\w.]+);");
    private static final Pattern PUBLIC_TYPE = Pattern.compile("(?m)^public ");
    private static final Pattern PUBLIC_INTERFACE = Pattern.compile("(?m)^(?: {4})?public (?:static )?interface ");
    private static final Pattern INNER_INTERFACE = Pattern.compile("(?m)^ {4}interface ");
    private static final Pattern IMPLEMENTING = Pattern.compile("<b>Implementing\\.</b>");

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
     * All of them: no class cycles, no clocks of its own, no monitors, and types that say what they are.
     *
     * @param main the classes of the module
     * @param sources where their sources are
     * @param packages what users see of a module without a descriptor; nothing if it has one
     */
    public static void areObeyed(JavaClasses main, Path sources, String... packages) throws IOException {
        List<String> cycles = ClassCycles.among(main);
        if (!cycles.isEmpty()) {
            throw new AssertionError("classes know each other in a circle: " + cycles);
        }
        clocksAreReadThroughTheTimeSource(main);
        monitorsAreNotUsed(main, sources);
        exportedTypesSayWhatTheyAre(sources, packages);
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
     * @param sources where the sources of the module are
     * @param packages what users see of a module without a descriptor; nothing if it has one
     */
    public static void exportedTypesSayWhatTheyAre(Path sources, String... packages) throws IOException {
        for (String exported : exports(sources, packages)) {
            Path folder = sources.resolve(exported.replace('.', '/'));
            for (Path each : files(folder)) {
                String text = Files.readString(each);
                if (!folder.equals(each.getParent())
                        || !PUBLIC_TYPE.matcher(text).find()) {
                    continue;
                }
                if (!text.contains("@since")) {
                    throw new AssertionError(each + " has no @since");
                }
                if (count(IMPLEMENTING, text) < interfaces(text)) {
                    throw new AssertionError(each + " does not say of each interface who may implement it");
                }
            }
        }
    }

    /** What an interface has inside is public, too. */
    private static long interfaces(String text) {
        boolean outer = text.contains("\npublic interface ") || text.startsWith("public interface ");
        return count(PUBLIC_INTERFACE, text) + (outer ? count(INNER_INTERFACE, text) : 0);
    }

    private static long count(Pattern pattern, String text) {
        return pattern.matcher(text).results().count();
    }

    private static List<String> exports(Path sources, String... packages) throws IOException {
        Path descriptor = sources.resolve("module-info.java");
        if (Files.exists(descriptor) != (packages.length == 0)) {
            throw new AssertionError(
                    "a module has a descriptor, or its test names the packages that users see: " + sources);
        }
        return packages.length > 0
                ? List.of(packages)
                : EXPORTS.matcher(Files.readString(descriptor))
                        .results()
                        .map(exported -> exported.group(1))
                        .toList();
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
