package io.holdfast.cli;

import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.JdbcLocksBuilder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a database is reached. The password is an environment variable: everybody may read a command line. */
final class JdbcOptions {
    private static final String USER_VARIABLE = "HOLDFAST_USER";
    private static final String PASSWORD_VARIABLE = "HOLDFAST_PASSWORD";
    private static final String DRIVERS_VARIABLE = "HOLDFAST_DRIVERS";

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "For a jdbc URL that does not say it: who logs in; the password is in HOLDFAST_PASSWORD."
                    + " Default: HOLDFAST_USER.")
    @Nullable
    String user;

    @Option(
            names = "--drivers",
            paramLabel = "FOLDER",
            description =
                    "For a jdbc URL: a folder with the archives of other drivers. Those of PostgreSQL, MariaDB and"
                            + " H2 are there. Default: HOLDFAST_DRIVERS.")
    @Nullable
    Path drivers;

    static boolean isMeant(String url) {
        return url.strip().toLowerCase(Locale.ROOT).startsWith("jdbc:");
    }

    /** What is meant for a database says nothing about another store. */
    void refuseOtherStores() {
        if (user != null || drivers != null) {
            throw new IllegalArgumentException((user != null ? "--user" : "--drivers")
                    + " is for jdbc URLs; others have user and password in them: redis://user:password@host");
        }
    }

    JdbcLocksBuilder builder(String url) {
        Path folder = drivers != null ? drivers : drivers(System.getenv(DRIVERS_VARIABLE));
        Drivers.prepare(url, folder);
        return JdbcLocks.builder(url, user != null ? user : variable(USER_VARIABLE), variable(PASSWORD_VARIABLE));
    }

    private static @Nullable Path drivers(@Nullable String folder) {
        return folder == null || folder.isEmpty() ? null : Path.of(folder);
    }

    private static String variable(String name) {
        return Objects.requireNonNullElse(System.getenv(name), "");
    }

    /** What a command inherits is not repeated; the password is never. */
    Map<String, String> environment(String url) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(Store.URL_VARIABLE, url);
        if (user != null) {
            variables.put(USER_VARIABLE, user);
        }
        if (drivers != null) {
            variables.put(DRIVERS_VARIABLE, drivers.toAbsolutePath().toString());
        }
        return variables;
    }
}
