package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that are wrong, each in one way: the testers have to say where. */
@Tag("integration")
class TesterIT {
    private static final Stage STAGE = new Stage();
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @AfterAll
    static void end() {
        STAGE.close();
    }

    private static Page page(String... lines) {
        return new Page("bad.md", List.of(lines));
    }

    private List<String> java(String... lines) {
        return java(LIMIT, lines);
    }

    private List<String> java(Duration limit, String... lines) {
        JavaBlocks java = new JavaBlocks(Blocks.of(page(lines)).found(), STAGE, folder, limit);
        List<Problem> problems = new ArrayList<>(java.compile());
        if (problems.isEmpty()) {
            java.sources().forEach(source -> problems.addAll(java.run(source)));
        }
        return problems.stream().map(Problem::toString).toList();
    }

    private List<String> shell(String... lines) {
        return shell(LIMIT, lines);
    }

    private List<String> shell(Duration limit, String... lines) {
        ShellBlocks shell = new ShellBlocks(STAGE, folder, ShellBlocksIT.LEFT_OUT, limit);
        return shell.run(Blocks.of(page(lines)).found().get(0)).stream()
                .map(Problem::toString)
                .toList();
    }

    private static List<String> unread(String... lines) {
        return Blocks.of(page(lines)).problems().stream().map(Problem::toString).toList();
    }

    @Test
    void fragment_thatDoesNotCompile_isNamedByItsLine() {
        assertThat(java("# Bad", "", "```java", "int one = 1;", "locks.lok(\"a\");", "```"))
                .singleElement()
                .asString()
                .startsWith("bad.md:5: does not compile: cannot find symbol");
    }

    @Test
    void given_thatDoesNotCompile_isNamedByItsOwnLine() {
        assertThat(java("<!-- given: int one = \"1\"; -->", "```java", "int two = one + 1;", "```"))
                .singleElement()
                .asString()
                .startsWith("bad.md:1: does not compile: incompatible types");
    }

    @Test
    void program_thatDoesNotCompile_isNamedByItsLine() {
        assertThat(java(
                        "```java",
                        "class A {",
                        "    public static void main(String[] args) {",
                        "        1;",
                        "    }",
                        "}",
                        "```"))
                .first()
                .asString()
                .startsWith("bad.md:4: does not compile");
    }

    @Test
    void fragment_thatThrows_isNamedByItsLine() {
        assertThat(java("```java", "locks.lock(\"a\").acquire().close();", "locks.lock(\"\");", "```"))
                .singleElement()
                .asString()
                .startsWith("bad.md:3: throws java.lang.IllegalArgumentException: name is empty");
    }

    @Test
    void fragment_thatShouldThrow_andDoesNot() {
        assertThat(java("<!-- throws: LockLostException -->", "```java", "locks.lock(\"a\").acquire().close();", "```"))
                .containsExactly("bad.md:2: does not throw LockLostException");
    }

    @Test
    void fragment_thatShouldWait_andDoesNot() {
        assertThat(java("<!-- waits -->", "```java", "locks.lock(\"a\").acquire().close();", "```"))
                .containsExactly("bad.md:2: does not wait, which its comment says");
    }

    @Test
    void block_thatDoesNotEnd_isNamed() {
        Duration brief = Duration.ofSeconds(1);
        assertThat(java(brief, "```java", "new CountDownLatch(1).await();", "```"))
                .containsExactly("bad.md:1: still runs after PT1S");
        assertThat(shell(brief, "```sh", "true", "cat /dev/zero > /dev/null", "```"))
                .containsExactly("bad.md:3: still runs after PT1S");
    }

    @Test
    void then_thatDoesNotHold_isNamedByItsLine() {
        assertThat(java("<!-- then: assertThat(one).isEqualTo(2); -->", "```java", "int one = 1;", "```"))
                .singleElement()
                .asString()
                .startsWith("bad.md:1: throws");
    }

    @Test
    void thread_thatFails_isNamedByItsLine() {
        assertThat(java(
                        "```java",
                        "Thread other = new Thread(() -> {",
                        "    throw new IllegalStateException(\"no\");",
                        "});",
                        "other.start();",
                        "other.join();",
                        "```"))
                .containsExactly("bad.md:3: throws on another thread java.lang.IllegalStateException: no");
    }

    @Test
    void test_thatFails_isNamed() {
        assertThat(java(
                        "```java",
                        "class ATest {",
                        "    @Test void a() { throw new IllegalStateException(\"no\"); }",
                        "}",
                        "```"))
                .containsExactly("bad.md:3: throws java.lang.IllegalStateException: no");
    }

    @Test
    void type_thatNothingRuns_isNamed() {
        assertThat(java("```java", "record A(int one) {}", "```"))
                .singleElement()
                .asString()
                .startsWith("bad.md:1: throws java.lang.NoSuchMethodException");
    }

    @Test
    void url_ofNoServer_isRefused() {
        assertThatThrownBy(() -> java("```java", "RedisLocks.connect(\"redis://elsewhere:6379\");", "```"))
                .hasMessageContaining("redis://elsewhere:6379 is no server of the stage");
    }

    @Test
    void command_thatFails_isNamedByItsLine() {
        assertThat(shell("```sh", "bin/bench --quick", "true", "echo oh; exit 3", "true", "```"))
                .containsExactly("bad.md:4: exits with 3, expected 0: oh");
    }

    @Test
    void command_thatFailsInAPipe_isNamedByItsLine() {
        assertThat(shell("```sh", "true", "sh -c 'echo oh; exit 3' | cat", "```"))
                .containsExactly("bad.md:3: exits with 3, expected 0: oh");
    }

    @Test
    void command_thatShouldFail_andDoesNot() {
        assertThat(shell("<!-- exits: 75 -->", "```sh", "true", "```")).hasSize(1);
        assertThat(shell("<!-- exits: 75 -->", "```sh", "sh -c 'exit 75'", "```"))
                .isEmpty();
    }

    @Test
    void command_thatIsNotRun_butUnknown_isNamedByItsLine() {
        assertThat(shell("```sh", "bin/bench --quick # rougher", "bin/bench --to moon", "```"))
                .containsExactly("bad.md:3: bin/bench does not know --to");
        assertThat(shell("```sh", "./holdfast demo --quick --wait 3 -x", "```"))
                .containsExactly("bad.md:2: ./holdfast does not know --wait", "bad.md:2: ./holdfast does not know -x");
    }

    @Test
    void block_withoutLanguage_orUnfenced_isNamed() {
        assertThat(unread("# Bad", "```", "a", "```", "", "    ./indented"))
                .hasSize(2)
                .anyMatch(each -> each.startsWith("bad.md:2: a block without a language"))
                .anyMatch(each -> each.startsWith("bad.md:6: code by indentation"));
        assertThat(unread("```ruby", "a", "```")).first().asString().startsWith("bad.md:1: 'ruby' is not known");
        assertThat(unread("```java", "a")).containsExactly("bad.md:1: a block that nothing closes");
        assertThat(unread("<!-- gives: a -->", "```java", "a", "```"))
                .first()
                .asString()
                .startsWith("bad.md:1: 'gives' is none of");
    }

    @Test
    void block_thatIsWrittenInAnotherWay_isNamed() {
        String said = "code nobody runs; write it with three backticks at the beginning of a line";

        assertThat(unread("~~~java", "a", "", "1. b", "   ```java", "> - ```sh", "\t```", "a <PRE class=\"b\">"))
                .containsExactly(
                        "bad.md:1: " + said,
                        "bad.md:5: " + said,
                        "bad.md:6: " + said,
                        "bad.md:7: " + said,
                        "bad.md:8: " + said);
        assertThat(unread("`<pre>` and <prefix>", "- `~~~` and ~~this~~")).isEmpty();
    }

    @Test
    void dependency_thatIsNotPublished_isNamed() {
        String made =
                "<dependency><groupId>io.holdfast</groupId><artifactId>%s</artifactId><version>%s</version></dependency>";
        Dependencies dependencies = new Dependencies();

        assertThat(Blocks.of(page("```xml", made.formatted("holdfast-examples", "1"), "```"))
                        .found())
                .flatMap(dependencies::wrong)
                .hasSize(1);
        assertThat(Blocks.of(page("```xml", made.formatted("holdfast-redis", "0.0"), "```"))
                        .found())
                .flatMap(dependencies::wrong)
                .hasSize(1);
    }

    @Test
    void link_toNowhere_isNamed() {
        assertThat(new Links()
                        .of(page(
                                "# A b, c",
                                "[x](nothing.md)",
                                "[x](#a-b-c)",
                                "[x](#d)",
                                "[x](README.md#ten-lines)",
                                "see [R1] and [x][y]",
                                "[R1]: https://x")))
                .extracting(Problem::where)
                .containsExactly("bad.md:2", "bad.md:4", "bad.md:6");
    }

    @Test
    void link_writtenInAnotherWay_isNamedToo() {
        assertThat(new Links()
                        .of(page(
                                "[a](nothing.md \"title\")",
                                "[a](<no such.md>)",
                                "[a][no-such] and [no such][]",
                                "<a href='nothing.md'>a</a>",
                                "[a](<README.md> 'title') and [a][Here-it is] and <img src='README.md'>",
                                "[here-it is]: <README.md#ten-lines>")))
                .extracting(Problem::where)
                .containsExactly("bad.md:1", "bad.md:2", "bad.md:3", "bad.md:3", "bad.md:4");
    }

    @Test
    void message_thatNobodySays_isNamed() {
        assertThat(Messages.ofSources()
                        .missing(page("| `name is empty, expected …` |", "| `name is full, expected …` |")))
                .extracting(Problem::where)
                .containsExactly("bad.md:2");
    }
}
