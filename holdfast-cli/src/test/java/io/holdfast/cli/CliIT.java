package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
class CliIT {
    /** From another folder it would be another server, and nobody would exclude anybody. */
    @Test
    void home_relative_isRefused() {
        try (Cli list = Cli.at(Path.of("home")).start("ls")) {
            assertThat(list.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(list.err()).hasLineCount(1).contains("HOLDFAST_HOME is 'home', expected an absolute path");
        }
    }

    @Test
    void help_onPipes_isPlain() {
        try (Cli help = Cli.with("redis://localhost:1").start("--help")) {
            assertThat(help.exitCode()).isZero();
            assertThat(help.out()).contains("Usage: holdfast").doesNotContain("\u001b");
            assertThat(help.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "run --help", "completion"})
    void output_diskFull_isNoSuccess(String words) {
        try (Cli full = Cli.with("redis://localhost:1").shell("$HOLDFAST " + words + " >/dev/full")) {
            assertThat(full.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(full.err()).contains("the output cannot be written").hasLineCount(1);
        }
    }

    @Test
    void help_onANarrowTerminal_isStillThere() {
        try (Cli help = Cli.with("redis://localhost:1")
                .env("NO_COLOR", "1")
                .onTerminal()
                .shell("stty cols 20; $HOLDFAST --help")) {
            assertThat(help.exitCode()).as(help.out()).isZero();
            assertThat(help.out()).contains("Usage: holdfast");
        }
    }

    @Test
    void help_onATerminal_isColoured() {
        try (Cli help = Cli.with("redis://localhost:1")
                .env("TERM", "xterm")
                .onTerminal()
                .start("--help")) {
            assertThat(help.exitCode()).isZero();
            assertThat(help.out()).contains("\u001b[");
        }
    }
}
