package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JDBC URLs that make no sense, their drivers, and their secrets. */
class JdbcUsageTest {
    private static final String MEMORY = "jdbc:h2:mem:cli;DB_CLOSE_DELAY=-1";

    private static final String OTHER_DRIVER = """
            package other;

            public class OtherDriver implements java.sql.Driver {
                public java.sql.Connection connect(String url, java.util.Properties login) throws java.sql.SQLException {
                    throw new java.sql.SQLException("the other driver was asked by " + login.get("user"));
                }
                public boolean acceptsURL(String url) { return url.startsWith("jdbc:other:"); }
                public java.sql.DriverPropertyInfo[] getPropertyInfo(String url, java.util.Properties login) { return null; }
                public int getMajorVersion() { return 1; }
                public int getMinorVersion() { return 0; }
                public boolean jdbcCompliant() { return false; }
                public java.util.logging.Logger getParentLogger() { return null; }
            }
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ls --url jdbc:oracle:thin:scott/tiger@host            | no driver takes this URL, which begins with 'jdbc:oracle:'; write it as
            ls --user sa --url redis://127.0.0.1:1                | --user is for jdbc URLs; others have user and password in them
            ls --drivers . --url redis://127.0.0.1:1              | --drivers is for jdbc URLs
            ls --prefix a!b --url jdbc:h2:mem:a                   | table is 'a!b', expected letters
            run a --lease 2m --safety STRICT --url jdbc:h2:mem:a -- true | --lease is 2m, more than the 1m of --longest-lease
            quorum init --url jdbc:postgresql://a,b,c/db          | a quorum needs the URLs of all its nodes
            """)
    void wrong_line_isOneLineAndCode64(String line, String message) {
        Called called = holdfast(line.split(" ", -1));

        assertThat(called.err()).startsWith("holdfast: ").contains(message).hasLineCount(1);
        assertThat(called.code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void drivers_folderThatIsNotThere_isOneLine() {
        Called called = holdfast("ls", "--drivers", folder.resolve("none").toString(), "--url", MEMORY);

        assertThat(called.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(called.err())
                .contains("the folder of --drivers or HOLDFAST_DRIVERS cannot be read")
                .hasLineCount(1);
    }

    @Test
    void drivers_ofAFolder_areUsed() throws IOException {
        Path source = Files.createDirectory(folder.resolve("src")).resolve("OtherDriver.java");
        Files.writeString(source, OTHER_DRIVER);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        assertThat(compiler.run(null, null, null, "-d", classes.toString(), source.toString()))
                .isZero();
        Path drivers = Files.createDirectory(folder.resolve("drivers"));
        try (OutputStream file = Files.newOutputStream(drivers.resolve("other.jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            jar.putNextEntry(new JarEntry("META-INF/services/java.sql.Driver"));
            jar.write("other.OtherDriver".getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new JarEntry("other/OtherDriver.class"));
            jar.write(Files.readAllBytes(classes.resolve("other/OtherDriver.class")));
        }

        Called called =
                holdfast("ls", "--drivers", drivers.toString(), "--user", "scott", "--url", "jdbc:other:host/db");

        assertThat(called.err()).contains("the other driver was asked by scott").hasLineCount(1);
        assertThat(called.code()).isEqualTo(ExitCodes.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=me&password=s3cret",
                "jdbc:postgresql://127.0.0.1?password=s3cret",
                "jdbc:postgresql://127.0.0.1:port/db?password=s3cret",
                "jdbc:postgresql:s3cret//@",
                "jdbc:mariadb://127.0.0.1:1/db?user=me&password=s3cret",
                "jdbc:mariadb://127.0.0.1:port/db?password=s3cret",
                "jdbc:mariadb://me:s3cret@127.0.0.1:1/db",
                "jdbc:h2:mem:a;USER=me;PASSWORD=s3cret;FOO=1",
                "jdbc:h2:tcp://127.0.0.1:1/db;USER=me;PASSWORD=s3cret",
                "jdbc:oracle:thin:me/s3cret@127.0.0.1:1",
            })
    void password_ofAnyUrl_isNotTold(String url) {
        for (String command : new String[] {"ls", "doctor"}) {
            Called called = holdfast(command, "--verbose", "--url", url);

            assertThat(called.code()).as(called.out()).isNotZero();
            assertThat(called.out() + called.err()).isNotEmpty().doesNotContain("s3cret");
        }
    }

    @Test
    void url_withCommas_isOneStore() {
        String url = "jdbc:postgresql://a:1,b:2,c:3/db?targetServerType=primary";

        assertThat(StoreUrls.split(url)).containsExactly(url);
        assertThat(StoreUrls.split(" JDBC:mariadb:sequential://a,b/db"))
                .containsExactly("JDBC:mariadb:sequential://a,b/db");
    }

    @Test
    void h2_commands_work() {
        assertThat(holdfast("init", "--url", MEMORY).out()).isEqualTo("H2: holdfast_* have version 1\n");
        assertThat(holdfast("ls", "--url", MEMORY).out()).isEqualTo("nobody holds or waits for anything\n");
        assertThat(holdfast("show", "a", "--url", MEMORY).code()).isEqualTo(ExitCodes.NO);
        assertThat(holdfast("break", "a", "--yes", "--url", MEMORY).code()).isEqualTo(ExitCodes.NO);
        assertThat(holdfast("doctor", "--url", MEMORY).out()).endsWith(" 0 wrong\n");
    }

    @Test
    void help_everyStoreCommand_namesIt() {
        for (String command : new String[] {"run", "ls", "show", "watch", "break", "doctor", "init"}) {
            assertThat(holdfast(command, "--help").out()).contains("jdbc:postgresql://", "--user", "--drivers");
        }
        assertThat(holdfast("completion").out()).contains("--user", "--drivers");
    }
}
