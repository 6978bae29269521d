package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of {@code holdfast completion}, in the shell that it is for. */
@Tag("integration")
class CompletionIT {
    /** What bash does when somebody types the words and presses the tabulator. */
    private static final String TAB = """
            set -- $WORDS
            source ./completion
            compopt() { :; }
            COMP_WORDS=(holdfast "$@") COMP_CWORD=$# COMP_LINE="holdfast $*" COMP_POINT=999
            function=$(complete -p holdfast | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            "$function" holdfast "${@: -1}" "${@: -2:1}"
            echo "${COMPREPLY[*]}"
            """;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void write() throws Exception {
        Files.writeString(
                folder.resolve("completion"), Called.holdfast("completion").out());
        Files.writeString(folder.resolve("tab"), TAB);
    }

    @ParameterizedTest
    @CsvSource({
        "ru,run",
        "doc,doctor",
        "run --perm,--permits",
        "ls --wat,--watch",
        "ls --driv,--drivers",
        "run --us,--user",
        "quorum in,init",
        "show --kind SEM,SEMAPHORE",
    })
    void tab_beginningOfAWord_isCompleted(String typed, String completed) {
        try (Cli bash = Cli.with("redis://localhost:1")
                .in(folder)
                .env("WORDS", typed)
                .shell("exec bash --norc --noprofile tab")) {
            assertThat(bash.exitCode()).as(bash.err()).isZero();
            assertThat(bash.out().split("\\s+")).containsExactly(completed);
            assertThat(bash.err()).isEmpty();
        }
    }
}
