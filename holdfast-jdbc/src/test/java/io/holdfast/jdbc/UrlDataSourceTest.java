package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A URL's password stays where it is. */
class UrlDataSourceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=me&password=s3cret",
                "jdbc:mariadb://127.0.0.1:port/db?password=s3cret",
                "jdbc:mariadb://me:s3cret@127.0.0.1:1/db",
                "jdbc:h2:tcp://127.0.0.1:1/db;USER=me;PASSWORD=s3cret",
                "jdbc:h2:nowhere/but:here;PASSWORD=s3cret",
            })
    void getConnection_refused_doesNotTellThePassword(String url) {
        UrlDataSource source = new UrlDataSource(url, "", "");

        assertThat(source.toString()).doesNotContain("s3cret");
        assertThatThrownBy(source::getConnection).satisfies(UrlDataSourceTest::tellsNoSecret);
        assertThatThrownBy(() -> JdbcLocks.builder(url, "", "").connect()).satisfies(UrlDataSourceTest::tellsNoSecret);
    }

    private static void tellsNoSecret(Throwable refused) {
        StringWriter trace = new StringWriter();
        refused.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("s3cret");
    }

    @Test
    void url_thatNoDriverTakes_isRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcLocks.builder("jdbc:oracle:thin:me/s3cret@host", "", ""))
                .withMessage(
                        "no driver takes this URL, which begins with 'jdbc:oracle:'; write it as the driver wants it, and put the"
                                + " driver on the class path");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcLocks.builder("jdbc:postgresql://host:port/db?password=s3cret", "", ""))
                .withMessageContaining("write it as the driver wants it")
                .satisfies(UrlDataSourceTest::tellsNoSecret);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcLocks.builder("redis://:s3cret@host", "", ""))
                .withMessageContaining("begins with 'redis', expected 'jdbc:'");
    }

    @Test
    void login_apartFromTheUrl_isUsed() throws Exception {
        String url = "jdbc:h2:mem:login;DB_CLOSE_DELAY=-1";
        try (var first = new UrlDataSource(url, "owner", "right").getConnection()) {
            assertThat(first.getMetaData().getUserName()).isEqualTo("OWNER");
        }
        assertThatThrownBy(() -> new UrlDataSource(url, "owner", "s3cret").getConnection())
                .hasMessageContaining("Wrong user name or password")
                .satisfies(UrlDataSourceTest::tellsNoSecret);
    }
}
