package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The demo as a user sees it. */
@Tag("integration")
class DemoIT {
    private static final String LAST_LINE = "demo: act1 oversold=[1-9][0-9]* act2 oversold=0 duplicates=0"
            + " act3 recoveredMillis=[1-9][0-9]* act4 refused=[1-9][0-9]*";

    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    @TempDir
    private Path folder;

    private Cli.Start here() {
        return Cli.at(folder.resolve("home")).env("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + folder);
    }

    private Cli start(String... args) {
        return here().start(args);
    }

    @Test
    void demo_quick_showsAllFourActs() throws Exception {
        Path page = folder.resolve("page.html");
        Path picture = folder.resolve("picture.svg");
        try (Cli demo = start("demo", "--quick", "--html", page.toString(), "--svg", picture.toString())) {
            demo.awaitOut("Act 2");
            List<ProcessHandle> all = everybody(demo);
            demo.awaitOut("Act 3").awaitOut("Act 4");

            assertThat(demo.exitCode()).as(() -> demo.out() + demo.err()).isZero();
            List<String> lines = demo.out().lines().toList();
            assertThat(lines.get(lines.size() - 1)).matches(LAST_LINE);
            assertThat(demo.out()).doesNotContain("\u001b");
            assertThat(all).hasSizeGreaterThan(5);
            assertNothingIsLeft(all);
        }
        assertPage(page);
        assertThat(Files.readString(picture)).contains("mark kill", "mark refusal", "curve over");
    }

    private static void assertPage(Path page) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(page.toFile());
        assertThat(document.getElementsByTagName("section").getLength()).isEqualTo(4);
        assertThat(Files.readString(page))
                .contains(">worker-1</div>", ">worker-4</div>", "span crowd", "span held", "span lease-left")
                .contains("mark kill", "mark stop", "mark wake", "mark refusal", "✗ oversold", "✓ refused")
                .doesNotContain("NOT SHOWN");
    }

    @Test
    void demo_interruptedOnATerminal_leavesNothing() throws IOException {
        try (Cli demo = here().env("TERM", "xterm").onTerminal().start("demo", "--quick")) {
            demo.awaitOut("Act 2");
            List<ProcessHandle> all = everybody(demo);
            demo.type("\u0003");

            assertThat(demo.exitCode()).isEqualTo(130);
            assertThat(demo.out()).doesNotContain("demo: act1", "ended, and nobody");
            assertThat(demo.out().lastIndexOf(SHOW_CURSOR))
                    .isGreaterThan(demo.out().lastIndexOf(HIDE_CURSOR));
            assertNothingIsLeft(all);
        }
    }

    @Test
    void demo_killed_leavesNothing() throws IOException {
        try (Cli demo = start("demo", "--quick")) {
            demo.awaitOut("Act 1");
            List<ProcessHandle> all = everybody(demo);
            demo.signal("KILL");

            assertNothingIsLeft(all);
        }
    }

    @Test
    void demo_workerDies_failsAndNamesIt() throws IOException {
        try (Cli demo = start("demo", "--quick")) {
            demo.awaitOut("Act 1");
            List<ProcessHandle> all = everybody(demo);
            all.stream()
                    .filter(each -> each.pid() != demo.pid() && isJava(each))
                    .findFirst()
                    .orElseThrow()
                    .destroyForcibly();

            assertThat(demo.exitCode()).isEqualTo(1);
            assertThat(demo.out())
                    .containsPattern("worker-[1-4] ended, and nobody asked for it: exit code 137")
                    .contains("act4 refused=?");
            assertNothingIsLeft(all);
        }
    }

    @Test
    void demo_pageCannotBeWritten_isRefusedBeforeItBegins() {
        try (Cli demo = start("demo", "--html", folder.resolve("none/page.html").toString())) {
            assertThat(demo.exitCode()).isEqualTo(64);
            assertThat(demo.out()).isEmpty();
            assertThat(demo.err()).contains("cannot be written").contains("there is no folder");
        }
    }

    @Test
    void demo_languageItDoesNotSpeak_isRefused() {
        try (Cli demo = start("demo", "--lang", "fr")) {
            assertThat(demo.exitCode()).isEqualTo(64);
            assertThat(demo.err()).contains("--lang: 'fr' is none of en, zh");
        }
    }

    private static List<ProcessHandle> everybody(Cli demo) {
        ProcessHandle self = ProcessHandle.of(demo.pid()).orElseThrow();
        return Stream.concat(Stream.of(self), self.descendants()).toList();
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }

    private void assertNothingIsLeft(List<ProcessHandle> all) throws IOException {
        await("the end of all processes")
                .atMost(Cli.PATIENCE)
                .until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        await("the end of all folders")
                .atMost(Cli.PATIENCE)
                .until(() -> temporaryFolders().isEmpty());
    }

    private List<Path> temporaryFolders() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.getFileName().toString().startsWith("holdfast-demo-"))
                    .toList();
        }
    }
}
