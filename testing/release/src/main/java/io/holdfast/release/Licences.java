package io.holdfast.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compares the licences that {@code docs/dependencies.md} names with those that the libraries have. */
public final class Licences {
    /** A row: a library, its licence, and why it is there. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.-]+:[\\w.-]+)` \\| ([^|]+) \\|");

    private Licences() {}

    /**
     * Compares; ends with 1 if they differ.
     *
     * @param arguments the list in the format of CycloneDX, and the page
     * @throws IOException if one of them cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        List<String> wrong = wrong(Library.allOf(Path.of(arguments[0])), Files.readString(Path.of(arguments[1])));
        wrong.forEach(System.err::println);
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    static List<String> wrong(List<Library> libraries, String page) {
        Map<String, String> named = ROW.matcher(page)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> row.group(2).strip()));
        return libraries.stream()
                .filter(library -> named.containsKey(library.name()))
                .filter(library -> !licence(library).equals(named.get(library.name())))
                .map(library -> library.name() + " has the licence " + licence(library) + ", and the page says "
                        + named.get(library.name()))
                .toList();
    }

    private static String licence(Library library) {
        return String.join(" or ", library.licences());
    }
}
