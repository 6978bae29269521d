package io.holdfast.cli.screen;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps, lists, texts, numbers and null as JSON on one line. */
public final class Json {
    private Json() {}

    /** Writes a value. Whatever else it is, it is written as its text. */
    public static String text(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(String.valueOf(entry.getKey())) + ":" + text(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        }
        return quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            switch (each) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> json.append(isHidden(each) ? String.format("\\u%04x", (int) each) : String.valueOf(each));
            }
        }
        return json.append('"').toString();
    }

    /** Some readers end a line at characters that JSON allows, and terminals do worse. */
    private static boolean isHidden(char each) {
        return each < ' ' || Screen.visible(String.valueOf(each)).length() > 1;
    }
}
