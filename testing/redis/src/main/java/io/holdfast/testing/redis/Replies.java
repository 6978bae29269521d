package io.holdfast.testing.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes something of replies. */
final class Replies {
    private Replies() {}

    /** Lines of {@code name:value}, as INFO and CLUSTER INFO answer. */
    static Map<String, String> fields(@Nullable Object reply) {
        Map<String, String> fields = new LinkedHashMap<>();
        String.valueOf(reply).lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return fields;
    }

    /** A list of strings. */
    static List<String> strings(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        throw new IllegalStateException("Not a list: " + reply);
    }
}
