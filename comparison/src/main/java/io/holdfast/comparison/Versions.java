package io.holdfast.comparison;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which versions the build took. */
final class Versions {
    private static final Properties ALL = load();

    private Versions() {}

    static String of(String family) {
        return ALL.getProperty(family, "?");
    }

    private static Properties load() {
        Properties all = new Properties();
        try (InputStream file = Versions.class.getResourceAsStream("versions.properties")) {
            if (file != null) {
                all.load(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
