package io.holdfast.jdbc.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with names instead of question marks.
 *
 * @param text for the driver
 * @param names what each question mark stands for, in order
 */
record Sql(String text, List<String> names) {
    private static final Pattern NAME = Pattern.compile(":([a-zA-Z]+)");
    private static final Pattern SECTION = Pattern.compile("(?m)^-- ([a-zA-Z]+)(:.*)?$\\n((?:(?!-- ).+\\n?)+)");

    static Sql of(String source) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(source);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            names.add(matcher.group(1));
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return new Sql(text.toString(), List.copyOf(names));
    }

    /** The statements of a file, by their names. */
    static Map<String, String> sections(String file) {
        Map<String, String> sections = new HashMap<>();
        Matcher matcher = SECTION.matcher(resource(file));
        while (matcher.find()) {
            sections.put(matcher.group(1), matcher.group(3).strip());
        }
        return sections;
    }

    static String resource(String file) {
        try (InputStream in = Sql.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + file + " is missing from holdfast-jdbc");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
