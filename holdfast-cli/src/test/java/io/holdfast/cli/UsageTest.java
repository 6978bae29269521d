package io.holdfast.cli;

import static io.holdfast.cli.Called.coloured;
import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.screen.Screen;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What a command line that makes no sense gets, and how help and values read. */
class UsageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            lss                        | unknown command 'lss', did you mean 'ls'
            shwo                       | unknown command 'shwo', did you mean 'show'
            ls --wacth                 | unknown option '--wacth', did you mean '--watch'
            ls a b                     | 'b' is one word too many
            show                       | Missing required parameter: 'NAME'
            ls --interval soon         | 'soon' is no duration, expected a number with ms, s, m or h, for instance 30s
            ls --interval 10ms         | --interval is 10ms, expected at least 100ms
            show a --kind mutex        | expected one of [LOCK, READ_WRITE, SEMAPHORE, ELECTION, LATCH]
            ls --url reddis://x        | its scheme 'reddis' is not known; expected redis://
            ls --url localhost         | it has no scheme; expected redis://
            ls --url redis://x:70000   | its port is not a number from 1 to 65535
            ls --prefix a!b            | prefix is 'a!b', expected 1 to 64 letters
            lits                       | unknown command 'lits', did you mean 'list'
            rnu                        | unknown command 'rnu', did you mean 'run'
            ls --jsn                   | unknown option '--jsn', did you mean '--json'
            ls --url=                  | --url is empty, expected a URL; leave it out if none is meant
            quorum                     | a command is missing: quorum init
            init --url redis://127.0.0.1:1,redis://127.0.0.1:2 | one server, Sentinel, cluster, database or ZooKeeper is needed
            quorum intt                | unknown command 'intt', did you mean 'init'
            run a --lease 2m --safety STRICT --url redis://127.0.0.1:1 -- true | --lease is 2m, more than the 1m of --longest-lease
            run a --lease 2m --url redis-sentinel://127.0.0.1:1/m -- true | --lease is 2m, more than the 1m of --longest-lease
            run a --lease 2m --url rediss-sentinel://127.0.0.1:1/m -- true | --lease is 2m, more than the 1m of --longest-lease
            run a --lease 2m --url redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3 -- true | --lease is 2m, more than the 1m of --longest-lease
            """)
    void wrong_line_isOneLineAndCode64(String line, String message) {
        String url = line.contains("--url") || line.startsWith("quorum") ? "" : " --url redis://127.0.0.1:1";
        Called called = holdfast((line + url).split(" ", -1));

        assertThat(called.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(called.err().lines()).hasSize(1);
        assertThat(called.err()).startsWith("holdfast: ").contains(message).doesNotContain("\tat ");
        assertThat(called.out()).isEmpty();
    }

    @Test
    void wrong_noCommand_saysWhereHelpIs() {
        Called called = holdfast();

        assertThat(called.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(called.err()).isEqualTo("holdfast: a command is missing (holdfast --help says more)\n");
    }

    @Test
    void help_everyCommand_hasAWordForEachOption() {
        CommandLine root = Holdfast.commandLine(new Screen(System.out, System.err, false, false));

        assertThat(root.getSubcommands())
                .containsKeys("ls", "show", "watch", "deadlocks", "break", "doctor", "quorum", "completion");
        checkDescribed(root);
    }

    /** picocli takes a while for each. */
    @Test
    void commandLine_wordsThatMeanACommand_knowsThatOne() {
        Screen screen = new Screen(System.out, System.err, false, false);

        assertThat(Holdfast.commandLine(screen, "--verbose", "show", "ls").getSubcommands())
                .containsOnlyKeys("show");
        assertThat(Holdfast.commandLine(screen, "list").getSubcommands()).containsOnlyKeys("ls", "list");
        assertThat(Holdfast.commandLine(screen, "--help").getSubcommands()).hasSizeGreaterThan(10);
        assertThat(Holdfast.commandLine(screen, "shwo").getSubcommands()).hasSizeGreaterThan(10);
    }

    @Test
    void man_page_tellsOfEveryCommand() {
        String page = holdfast("man").out();

        assertThat(page).startsWith(".TH \"HOLDFAST\" \"1\"").doesNotContain("\u001b", "${", "@|");
        for (String command : Holdfast.commandLine(new Screen(System.out, System.err, false, false))
                .getSubcommands()
                .keySet()) {
            if (!command.equals("list")) {
                assertThat(page).contains(".SS \"holdfast " + command + "\"");
            }
        }
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|PP|TP).*"));
    }

    private static void checkDescribed(CommandLine command) {
        var spec = command.getCommandSpec();
        assertThat(spec.usageMessage().description()).as(spec.qualifiedName()).isNotEmpty();
        spec.options()
                .forEach(option -> assertThat(option.description())
                        .as("%s %s", spec.qualifiedName(), option.longestName())
                        .isNotEmpty());
        assertThat(spec.optionsMap()).as(spec.qualifiedName()).containsKey("--help");
        command.getSubcommands().values().forEach(UsageTest::checkDescribed);
    }

    @Test
    void help_colours_onlyWhereTheyAreSeen() {
        assertThat(holdfast("ls", "--help").out())
                .contains("Usage: holdfast ls")
                .doesNotContain("\u001b");
        assertThat(coloured("ls", "--help").out()).contains("\u001b[");
    }

    @Test
    void completion_script_knowsCommandsAndOptions() {
        Called completion = holdfast("completion");

        assertThat(completion.code()).isZero();
        assertThat(completion.out()).startsWith("#!/usr/bin/env bash").contains("doctor", "--watch");
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500", "30s, 30000", "5m, 300000", "1h, 3600000", "0s, 0"})
    void duration_wellFormed_isRead(String text, long millis) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"0, 0ms", "999, 999ms", "1049, 1.0s", "59999, 59s", "61000, 1m 1s", "7260000, 2h 1m", "90000000, 1d 1h"
    })
    void duration_shown_hasTheUnitsThatMatter(long millis, String text) {
        assertThat(DurationConverter.shown(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis://a", "redis-sentinel://a,b,c/m", "redis-cluster://a,b", "rediss-sentinel://:p,w@a,b/m"})
    void urls_oneStore_isLeftAlone(String url) {
        assertThat(StoreUrls.split(url)).containsExactly(url);
    }

    @Test
    void urls_severalNodes_areAQuorum() {
        assertThat(StoreUrls.split("redis://a:1,redis://:pw@b:2,rediss://c"))
                .containsExactly("redis://a:1", "redis://:pw@b:2", "rediss://c");
        assertThat(StoreUrls.split("redis://u:p,w@a:1,b:2,c:3"))
                .containsExactly("redis://u:p,w@a:1", "redis://u:p,w@b:2", "redis://u:p,w@c:3");
    }
}
