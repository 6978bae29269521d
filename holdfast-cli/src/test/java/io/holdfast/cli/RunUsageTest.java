package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is wrong with a command line is said in one line, before any store is asked: there is none at this address. */
class RunUsageTest {
    private static final String NOWHERE = "redis://127.0.0.1:1";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                run                                  | the name of the lock is missing
                run -- true                          | the name of the lock is missing
                run db                               | the command to run is missing: holdfast run db -- COMMAND
                run db --                            | the command to run is missing
                run db true                          | put -- before the command: holdfast run db -- true
                run db ls -l                         | put -- before the command: holdfast run db -- ls
                run db --wait 3s sleep 5 --flag      | put -- before the command: holdfast run db -- sleep
                run db --wat 3s -- true              | unknown option '--wat', did you mean '--wait'
                run -x -- true                       | unknown option '-x'
                run db more -- true                  | 'more' is one word too many before --
                run db --permits 3 -- true           | --permits is '3', expected how many of how many
                run db --permits 0/3 -- true         | --permits is '0/3'
                run db --permits 4/3 -- true         | --permits is '4/3', but there are only 3
                run db --shared --permits 1/2 -- true| only one can be meant
                run db --shared --exclusive -- true  | only one can be meant
                run db --wait 3 -- true              | '3' is no duration
                run db --wait -1s -- true            | '-1s' is no duration
                run db --lease soon -- true          | 'soon' is no duration
                run db --lease 10ms -- true          | lease is 10ms, expected 100ms
                run db --grace 1y -- true            | '1y' is no duration
                run db --grace 25h -- true           | --grace is 25h, expected at most 24h
                run db --wait                        | --wait
                """)
    void run_badLine_oneLineAnd64(String line, String said) {
        Called run = holdfast(line.split(" +", -1));
        assertThat(run.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).startsWith("holdfast: ").contains(said).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void run_emptyWords_areRefused() {
        assertRefused("the name of the lock is empty", "run", "", "--", "true");
        assertRefused("the command to run is missing", "run", "db", "--", "");
        assertRefused("label", "run", "db", "--label", "", "--", "true");
    }

    private static void assertRefused(String said, String... args) {
        Called run = holdfast(args);
        assertThat(run.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains(said);
    }

    @ParameterizedTest
    @CsvSource({"no-such-command,127", "./no/such/command,127", "/,126", "./pom.xml,126"})
    void run_whatCannotBeRun_isSaidAsAShellDoes(String command, int code) {
        Called run = holdfast("run", "db", "--url", NOWHERE, "--", command);
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.err()).contains("'" + command + "'").hasLineCount(1);
    }

    @Test
    void run_noServer_isBrokenAndNotBusy() {
        Called run = holdfast("run", "db", "--url", NOWHERE, "--wait", "0s", "--", "true");
        assertThat(run.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(run.err()).contains("127.0.0.1:1").doesNotContain("\tat ").hasLineCount(1);
    }

    @Test
    void run_noServerAndVerbose_showsWhere() {
        Called run = holdfast("--verbose", "run", "db", "--url", NOWHERE, "--", "true");
        assertThat(run.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(run.err()).contains("\tat ");
    }

    @Test
    void help_ofRun_namesEveryOptionAndExitCode() {
        Called help = holdfast("run", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains("NAME [OPTIONS] -- COMMAND", "--shared", "--permits", "--grace", "HOLDFAST_TOKEN")
                .contains("no guarantee", "75", "76", "126", "127");
    }

    @Test
    void words_behindTheDashes_areNotTouched() {
        List<String> args = List.of("db", "--", "sh", "-c", "@file", "--wait", "--", "x y");
        CommandWords words = CommandWords.of(
                new CommandLine(CommandLine.Model.CommandSpec.create()),
                args,
                List.of("db", "sh", "-c", "@file", "--wait", "--", "x y"));
        assertThat(words.name()).isEqualTo("db");
        assertThat(words.command()).containsExactly("sh", "-c", "@file", "--wait", "--", "x y");
    }

    @Test
    void label_longOrOdd_isCutAndCleaned() {
        assertThat(label("echo", "a\nb")).isEqualTo("echo a b");
        assertThat(label("echo", "x".repeat(300)))
                .hasSize(100)
                .startsWith("echo xxx")
                .endsWith("…");
        assertThat(label("🔒".repeat(300))
                        .codePoints()
                        .filter(Character::isSupplementaryCodePoint)
                        .count())
                .isGreaterThan(40);
        assertThat(label("🔒".repeat(300))).hasSizeLessThanOrEqualTo(101).endsWith("…");
    }

    private static String label(String... command) {
        return RunCommand.labelOf(new CommandWords("db", List.of(command)));
    }
}
