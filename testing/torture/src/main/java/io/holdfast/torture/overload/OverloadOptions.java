package io.holdfast.torture.overload;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** What was asked for on the command line, checked before anything is started: a run may take an hour. */
final class OverloadOptions {
    private static final String NUMBER = "\\d{1,9}";

    /** Each option: its default, and what one value of its list looks like. */
    private static final Map<String, List<String>> KNOWN = Map.ofEntries(
            Map.entry("stores", List.of("single,cluster,quorum", "single|cluster|quorum")),
            Map.entry("distances", List.of("0,1,20", NUMBER)),
            Map.entry("callers", List.of("1,16,256,3000,10000", "[1-9]\\d{0,5}")),
            Map.entry("keys", List.of("own,one,none", "own|one|none")),
            Map.entry("kind", List.of("threads", "threads|virtual|async")),
            Map.entry("seconds", List.of("5", NUMBER)),
            Map.entry("held", List.of("100", NUMBER)),
            Map.entry("lease", List.of("30", NUMBER)),
            Map.entry("minutes", List.of("0", NUMBER)),
            Map.entry("under", List.of("nice,-n,10", ".+")),
            Map.entry("out", List.of("", ".+")));

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Throws {@link IllegalArgumentException} with a sentence about the first option that does not fit. */
    OverloadOptions(String... arguments) {
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].replaceFirst("^--", "");
            List<String> known = KNOWN.get(name);
            if (known == null || !arguments[i].startsWith("--")) {
                throw new IllegalArgumentException("there is no option " + arguments[i] + "; see bin/overload --help");
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + " needs a value; see bin/overload --help");
            }
            check(arguments[i], arguments[i + 1], Pattern.compile(known.get(1)));
            values.put(name, arguments[i + 1]);
        }
        out().map(file -> file.toAbsolutePath().getParent())
                .filter(folder -> !Files.isDirectory(folder))
                .ifPresent(folder -> {
                    throw new IllegalArgumentException("--out: there is no folder " + folder + "; create it first");
                });
    }

    private static void check(String option, String value, Pattern expected) {
        for (String each : value.split(",", -1)) {
            if (!expected.matcher(each).matches()) {
                throw new IllegalArgumentException(option + " " + value + ": '" + each + "' is not possible, expected "
                        + (expected.pattern().contains("\\d") ? "a whole number" : expected.pattern())
                        + "; see bin/overload --help");
            }
        }
    }

    String option(String name) {
        return values.getOrDefault(
                name, Objects.requireNonNull(KNOWN.get(name), name).get(0));
    }

    List<String> list(String name) {
        return Arrays.asList(option(name).split(",", -1));
    }

    int number(String name) {
        return Integer.parseInt(option(name));
    }

    /** The page to which the figures are added, if there is to be one. */
    Optional<Path> out() {
        return Optional.of(option("out")).filter(file -> !file.isEmpty()).map(Path::of);
    }
}
