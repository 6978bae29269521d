import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Breaks one rule at a time and expects a test to notice.
 *
 * <p>Reads mutants from a text file (see its head), compiles the changed file of each into a folder of its own, or puts
 * the changed resource there, and runs the tests that the mutant names with that folder first in the class path. A
 * mutant is caught when they fail, or hang. Exits with 1 if one survives, or if the tests are red without any mutant,
 * and with 2, before anything is run, if the text of one does not stand in its file exactly once ({@code MutantsTest} of
 * {@code testing/docs} looks at all lists).
 *
 * <p>One file is compiled in a tenth of the time of a module. What the other classes took from it may be out of date
 * then, such as the value of a constant or the form of a method. So the whole module is compiled, and the tests are run
 * again, if a mutant survives, or if its tests failed because classes do not fit together.
 *
 * <p>Started by {@code bin/mutants}, which builds the class path.
 */
final class Mutants {
    private static final String RESOURCES = "resources/";
    private static final String PATH = System.getProperty("path.separator");
    private static final int HUNG = -1;

    /** The module as it is: the tests of all mutants are run on it first. */
    private static final String NONE = "none";

    /** What the tests of a mutant say when its class and those that use it do not fit together. */
    private static final Pattern MISFIT = Pattern.compile(
            "NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IllegalAccessError|IncompatibleClassChangeError|VerifyError");

    private record Mutant(String name, String rule, String file, String from, String to, String tests, long seconds) {}

    private final Path work;
    private final Path sources;
    private final String classPath;
    private final String testPackage;
    private final long mostSeconds;

    private Mutants(Map<String, String> options) {
        this.work = Path.of(options.get("--work"));
        this.sources = Path.of(options.get("--sources"));
        this.classPath = options.get("--class-path");
        this.testPackage = options.get("--package");
        this.mostSeconds = Long.parseLong(options.get("--seconds"));
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        Mutants run = new Mutants(options);
        List<Mutant> all = run.read(Path.of(options.get("--mutants")));
        String only = options.getOrDefault("--only", "");
        List<Mutant> chosen = all.stream()
                .filter(each -> Stream.of(only.split(",")).anyMatch(each.name::contains))
                .toList();
        if (chosen.isEmpty()) {
            System.err.println("no mutant has '" + only + "' in its name; there are: "
                    + all.stream().map(Mutant::name).toList());
            System.exit(2);
        }
        List<String> dead = new ArrayList<>();
        for (Mutant mutant : chosen) {
            run.problem(mutant).ifPresent(problem -> dead.add(mutant.name + " NOT APPLIED: " + problem));
        }
        if (!dead.isEmpty()) { // told before anything is run, which may take hours
            dead.forEach(System.err::println);
            System.exit(2);
        }
        System.exit(run.all(chosen, options.get("--markdown")) ? 0 : 1);
    }

    private List<Mutant> read(Path file) throws IOException {
        List<Mutant> mutants = new ArrayList<>();
        Map<String, String> fields = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.add("");
        for (String line : lines) {
            if (line.isBlank() && !fields.isEmpty()) {
                mutants.add(new Mutant(
                        field(fields, "name"), field(fields, "rule"), field(fields, "file"),
                        field(fields, "from"), field(fields, "to"), field(fields, "test"),
                        Long.parseLong(fields.getOrDefault("seconds", String.valueOf(mostSeconds)))));
                fields.clear();
            } else if (!line.isBlank() && !line.startsWith("#")) {
                int colon = line.indexOf(':');
                fields.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            }
        }
        return mutants;
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a mutant has no '" + name + "': " + fields);
        }
        return value;
    }

    private boolean all(List<Mutant> mutants, String markdown) throws Exception {
        Set<String> tests = new LinkedHashSet<>();
        mutants.forEach(each -> tests.addAll(List.of(each.tests.split("[, ]+"))));
        System.out.println("without a mutant: " + tests.size() + " test classes must be green");
        long mostTogether = mutants.stream().mapToLong(Mutant::seconds).max().getAsLong() * Math.max(3, tests.size() / 3);
        if (compileAll(NONE, Map.of()) != 0 || run(NONE, String.join(",", tests), mostTogether) != 0) {
            System.out.println("the tests are red before anything was broken; see " + work.resolve(NONE + ".log"));
            return false;
        }
        StringBuilder table = new StringBuilder();
        int survivors = 0;
        int number = 0;
        for (Mutant mutant : mutants) {
            long began = System.nanoTime();
            String outcome = outcome(mutant);
            boolean caught = outcome.startsWith("caught");
            survivors += caught ? 0 : 1;
            System.out.printf("%3d/%d %-44s %3d s  %s%n", ++number, mutants.size(), mutant.name,
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began), outcome);
            table.append("| `").append(mutant.name).append("` | ").append(mutant.rule).append(" | `")
                    .append(mutant.file.replaceAll(".*/", "")).append("`: `").append(cell(mutant.from)).append("` → `")
                    .append(cell(mutant.to)).append("` | ").append(mutant.tests).append(" | ")
                    .append(outcome).append(" |\n");
        }
        System.out.println((mutants.size() - survivors) + " caught, " + survivors + " survived");
        if (markdown != null) {
            write(Path.of(markdown), table.toString(), mutants.size() - survivors, mutants.size());
        }
        return survivors == 0;
    }

    private static String cell(String code) {
        return code.isEmpty() ? " " : code.replace("|", "\\|");
    }

    /** Why a mutant cannot be made. */
    private Optional<String> problem(Mutant mutant) throws IOException {
        Path file = sources.resolve(mutant.file);
        if (!Files.exists(file)) {
            return Optional.of("there is no file " + mutant.file);
        }
        long places = anyLayout(mutant.from).matcher(Files.readString(file)).results().count();
        return places == 1
                ? Optional.empty()
                : Optional.of("its text stands in " + mutant.file + " " + places + " times, expected once");
    }

    private String outcome(Mutant mutant) throws Exception {
        String text = Files.readString(sources.resolve(mutant.file));
        List<MatchResult> places = anyLayout(mutant.from).matcher(text).results().toList();
        String broken = text.substring(0, places.get(0).start()) + mutant.to + text.substring(places.get(0).end());
        if (compileOne(mutant, broken) == 0) {
            int exit = run(mutant.name, mutant.tests, mutant.seconds);
            boolean misfit = exit == 1 && MISFIT.matcher(Files.readString(work.resolve(mutant.name + ".log"))).find();
            if (exit != 0 && !misfit || mutant.file.startsWith(RESOURCES)) {
                return said(mutant, exit);
            }
        }
        String whole = mutant.name + "-whole";
        return compileAll(whole, Map.of(mutant.file, broken)) != 0
                ? "NOT COMPILED: see " + work.resolve(whole + ".log")
                : said(mutant, run(whole, mutant.tests, mutant.seconds));
    }

    private String said(Mutant mutant, int exit) {
        return switch (exit) {
            case 0 -> "SURVIVED";
            case 1 -> "caught";
            case HUNG -> "caught (hung)";
            default -> "NOT RUN: exit " + exit + ", see " + work.resolve(mutant.name + ".log");
        };
    }

    /** The code, however the formatter breaks its lines. */
    private static Pattern anyLayout(String code) {
        String tokens = Pattern.compile("\\w+|[^\\w\\s]").matcher(code).results()
                .map(token -> Pattern.quote(token.group()))
                .collect(Collectors.joining("\\s*"));
        return Pattern.compile(tokens);
    }

    /** Compiles what a mutant changes, and nothing else. */
    private int compileOne(Mutant mutant, String broken) throws IOException {
        Path classes = Files.createDirectories(work.resolve(mutant.name));
        boolean resource = mutant.file.startsWith(RESOURCES);
        Path file = resource
                ? classes.resolve(mutant.file.substring(RESOURCES.length()))
                : work.resolve(mutant.name + "-src").resolve(mutant.file);
        Files.createDirectories(file.getParent());
        Files.writeString(file, broken);
        return resource ? 0 : javac(mutant.name, work.resolve(NONE) + PATH + classPath, List.of(file.toString()));
    }

    private int compileAll(String name, Map<String, String> changed) throws IOException {
        Path tree = work.resolve(name + "-src");
        List<String> copies = new ArrayList<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.endsWith("module-info.java"))
                    .toList()) {
                String relative = sources.relativize(file).toString();
                Path copy = tree.resolve(relative);
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, changed.getOrDefault(relative, Files.readString(file)));
                copies.add(copy.toString());
            }
        }
        return javac(name, classPath, copies);
    }

    private int javac(String name, String path, List<String> files) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-parameters", "-nowarn", "-proc:none", "-cp", path,
                "-d", Files.createDirectories(work.resolve(name)).toString()));
        arguments.addAll(files);
        try (var log = Files.newOutputStream(work.resolve(name + ".log"))) {
            return ToolProvider.getSystemJavaCompiler().run(null, log, log, arguments.toArray(String[]::new));
        }
    }

    private int run(String name, String tests, long seconds) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+EnableDynamicAgentLoading", "-Xshare:off", "-XX:TieredStopAtLevel=1",
                "-Dholdfast.simulation.seeds=400",
                "-cp", work.resolve(name) + PATH + work.resolve(NONE) + PATH + classPath,
                "org.junit.platform.console.ConsoleLauncher", "execute",
                "--details=tree", "--disable-banner", "--disable-ansi-colors", "--fail-if-no-tests"));
        Set<String> classes = new LinkedHashSet<>();
        for (String test : tests.split("[, ]+")) {
            String named = test.contains(".") ? test : testPackage + "." + test;
            String[] parts = named.split("#", 2);
            classes.add(parts[0]);
            // By pattern: a contract's methods belong to classes nested in others of another package.
            command.add(parts.length == 2
                    ? "--include-methodname=.*#" + Pattern.quote(parts[1]) + "\\b.*"
                    : "--include-methodname=.*" + Pattern.quote(parts[0].replaceAll(".*[.]", "") + "#") + ".*");
        }
        classes.forEach(each -> command.add("--select-class=" + each));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(work.resolve(name + ".log").toFile()))
                .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            return HUNG;
        }
        return process.exitValue();
    }

    private static void write(Path file, String table, int caught, int all) throws IOException {
        String text = Files.readString(file);
        String begin = "<!-- written by bin/mutants -->";
        int at = text.indexOf(begin);
        if (at < 0) {
            throw new IllegalStateException(file + " has no line " + begin);
        }
        Files.writeString(file, text.substring(0, at) + begin + "\n\n" + caught + " of " + all + " caught.\n\n"
                + "| mutant | rule | change | tests | outcome |\n|---|---|---|---|---|\n" + table);
    }
}
