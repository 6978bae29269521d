package io.holdfast.fence;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The SQL and Lua texts beside these classes. */
final class Texts {
    private Texts() {}

    /** A statement without its comments: some proxies in front of a database stumble over them. */
    static String sql(String file) {
        return read(file).lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    }

    static String read(String file) {
        try (InputStream in = Texts.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from holdfast-fence");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file + " cannot be read", unreadable);
        }
    }
}
