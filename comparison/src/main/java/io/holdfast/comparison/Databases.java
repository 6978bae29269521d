package io.holdfast.comparison;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;

/** The databases in which locks can be kept. */
enum Databases {
    POSTGRESQL,
    MARIADB,
    H2;

    static Databases labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown database '" + label + "'; known are postgresql, mariadb and h2"));
    }

    Store start() {
        try {
            return switch (this) {
                case POSTGRESQL -> new PostgresStore();
                case MARIADB -> new MariaDbStore();
                case H2 -> new H2Store();
            };
        } catch (SQLException trouble) {
            throw new IllegalStateException(this + " did not start", trouble);
        }
    }
}
