package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands on databases. */
@Tag("integration")
class JdbcIT extends StoreCommands {
    private static PostgresServer server;
    private static LockClient locks;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        locks = JdbcLocks.builder(server.url(), "", "")
                .createTables()
                .clientName("shop")
                .connect();
    }

    @AfterAll
    static void stop() {
        locks.close();
        server.close();
    }

    @Override
    String url() {
        return server.url();
    }

    @Override
    LockClient locks() {
        return locks;
    }

    @Test
    void init_noTables_createsThemAndASecondTimeNothing() {
        Called before = at("ls", "--prefix", "fresh");
        assertThat(before.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(before.err()).hasLineCount(1).contains("fresh_lock", "do not exist", "createTables()");
        Called doctor = at("doctor", "--prefix", "fresh");
        assertThat(doctor.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(doctor.out()).contains("FAIL  PostgreSQL", "; fix: create them with createTables()");

        for (int i = 0; i < 2; i++) {
            Called init = at("init", "--prefix", "fresh");
            assertThat(init.err()).isEmpty();
            assertThat(init.out()).isEqualTo("PostgreSQL: fresh_* have version 1\n");
            assertThat(init.code()).isZero();
        }
        assertThat(at("ls", "--prefix", "fresh").out()).isEqualTo("nobody holds or waits for anything\n");
    }

    @Test
    void doctor_usableDatabase_endsWithZero() {
        Called doctor = at("doctor");

        assertThat(doctor.code()).as(doctor.out()).isZero();
        assertThat(doctor.out())
                .contains("PostgreSQL", "version", "clock", "tables", "messages      arrive")
                .endsWith(" 0 wrong\n");
        assertThat(doctor.err()).isEmpty();
    }

    @Test
    void login_fromOptionAndVariable_reachesTheCommandInside() {
        String anonymous = server.url().replaceFirst("[?].*", "");
        try (Cli run = Cli.with(anonymous)
                .env("HOLDFAST_PASSWORD", "s3cret")
                .start("run", "a", "--user", "postgres", "--", "sh", "-c", "$HOLDFAST ls")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("sh -c $HOLDFAST ls").doesNotContain("s3cret");
        }
        try (Cli nobody = Cli.with(anonymous)
                .env("HOLDFAST_USER", "nobody")
                .env("HOLDFAST_PASSWORD", "s3cret")
                .start("ls", "--verbose")) {
            assertThat(nobody.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(nobody.err()).contains("user or password were refused").doesNotContain("s3cret");
        }
    }

    @Test
    void mariaDb_bundledDriver_runsACommand() throws Exception {
        try (MariaDbServer mariaDb = MariaDbServer.start()) {
            assertThat(holdfast("init", "--url", mariaDb.url()).out())
                    .isEqualTo("MariaDB: holdfast_* have version 1\n");
            try (Cli run = Cli.with(mariaDb.url()).start("run", "a", "--", "sh", "-c", "$HOLDFAST ls")) {
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.out()).contains("a", "sh -c $HOLDFAST ls");
            }
            assertThat(holdfast("doctor", "--url", mariaDb.url()).out()).contains("MariaDB", "tables");
        }
    }
}
