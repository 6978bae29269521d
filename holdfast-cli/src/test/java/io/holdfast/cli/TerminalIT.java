package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Questions, tables that draw themselves again, and Ctrl-C, on a terminal. */
@Tag("integration")
class TerminalIT {
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    private RedisServer server;
    private LockClient locks;
    private Lease lease;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V7_0);
        locks = RedisLocks.connect(server.uri());
        lease = locks.lock("order:42").acquire();
    }

    @AfterEach
    void stop() {
        locks.close();
        server.close();
    }

    private Cli onTerminal(String... args) {
        return Cli.with(server.uri()).env("TERM", "xterm").onTerminal().start(args);
    }

    @Test
    void break_answeredYes_takesIt() {
        try (Cli breaking = onTerminal("break", "order:42")) {
            breaking.awaitOut("Take it away? [y/N] ").type("y\n");

            assertThat(breaking.exitCode()).isZero();
            assertThat(breaking.out()).contains("held for", "taken: lock 'order:42'");
            await().until(() -> !lease.isValid());
        }
    }

    @Test
    void break_anythingElse_changesNothing() {
        for (String answer : new String[] {"\n", "n\n", "yikes\n", CTRL_D}) {
            try (Cli breaking = onTerminal("break", "order:42")) {
                breaking.awaitOut("[y/N] ").type(answer);

                assertThat(breaking.exitCode()).isEqualTo(ExitCodes.NO);
                assertThat(breaking.out()).contains("nothing was changed");
            }
        }
        lease.ensureValid();
    }

    @Test
    void break_interruptedAtTheQuestion_changesNothing() {
        try (Cli breaking = onTerminal("break", "order:42")) {
            breaking.awaitOut("[y/N] ").type(CTRL_C);

            assertThat(breaking.exitCode()).isEqualTo(ExitCodes.INTERRUPTED);
        }
        lease.ensureValid();
    }

    @Test
    void lsWatch_lockComesAndGoes_isDrawnAgainInPlaceUntilCtrlC() {
        try (Cli watching = onTerminal("ls", "--watch", "--interval", "100ms")) {
            watching.awaitOut("order:42");
            lease.close();
            watching.awaitOut("nobody holds or waits for anything");
            assertThat(watching.out()).contains(HIDE_CURSOR, "\u001b[3A").doesNotContain(SHOW_CURSOR);

            watching.type(CTRL_C);

            assertThat(watching.exitCode()).isEqualTo(ExitCodes.INTERRUPTED);
            assertThat(watching.out().lastIndexOf(SHOW_CURSOR))
                    .isGreaterThan(watching.out().lastIndexOf(HIDE_CURSOR));
        }
    }

    /** Who has it is what people want to know; a token is for programs. */
    @Test
    void ls_narrowTerminal_keepsTheHolderAndDropsTheToken() {
        try (Cli wide = onTerminal("ls");
                Cli narrow = Cli.with(server.uri())
                        .env("TERM", "xterm")
                        .env("NO_COLOR", "1")
                        .env("COLUMNS", "58")
                        .onTerminal()
                        .start("ls")) {
            assertThat(wide.exitCode()).isZero();
            assertThat(wide.out()).contains("HOLDER", "TOKEN");
            assertThat(narrow.exitCode()).isZero();
            assertThat(narrow.out())
                    .contains("HOLDER", "HELD", "WAITERS", "order:42")
                    .doesNotContain("TOKEN", String.valueOf(lease.token()));
        }
    }

    /** Shown as what it is, and over when it is over. */
    @Test
    void lsWatch_serverGone_saysSoAndRecovers() {
        try (Cli watching = onTerminal("ls", "--watch", "--interval", "100ms")) {
            watching.awaitOut("order:42");
            server.kill();
            watching.awaitOut("could not ask Redis");
            int seen = watching.out().length();
            server.restart();
            await().atMost(Cli.PATIENCE)
                    .until(() -> watching.out().substring(seen).contains("nobody holds"));
            watching.type(CTRL_C);
            assertThat(watching.exitCode()).isEqualTo(ExitCodes.INTERRUPTED);
        }
    }

    @Test
    void noColor_onATerminal_isPlain() {
        try (Cli ls = Cli.with(server.uri())
                .env("TERM", "xterm")
                .env("NO_COLOR", "1")
                .onTerminal()
                .start("ls")) {
            assertThat(ls.exitCode()).isZero();
            assertThat(ls.out()).contains("order:42").doesNotContain("\u001b");
        }
        try (Cli ls = onTerminal("ls")) {
            assertThat(ls.exitCode()).isZero();
            assertThat(ls.out()).contains("\u001b[36morder:42\u001b[0m");
        }
    }
}
