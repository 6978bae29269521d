package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Sign;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PageTest {
    private static final String EVIL = "<script>alert('1')</script> & \"quoted\" \u0001 \ud800";

    @TempDir
    private Path folder;

    private static Outcome outcome(Act act, String lane, String text) {
        Timeline timeline = new Timeline(List.of(lane, "worker-2"), 0);
        timeline.setStock(100);
        timeline.span(lane, Shade.HELD, 0, 400_000);
        timeline.mark(lane, Sign.KILL, 400_000, text);
        timeline.mark(lane, Sign.REFUSAL, 400_001, "no");
        timeline.sale(200_000);
        return new Outcome(act, true, text, Map.of("oversold", 3L), timeline);
    }

    private static List<Outcome> outcomes(String lane, String text) {
        return Act.all().stream().map(act -> outcome(act, lane, text)).toList();
    }

    static Document parsed(String page) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(page)));
    }

    @Test
    void of_evilTexts_isStillOnePageOfText() throws Exception {
        String page = Page.of(Scale.QUICK, outcomes(EVIL, EVIL));

        Document document = parsed(page);
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(document.getElementsByTagName("section").getLength()).isEqualTo(4);
        assertThat(document.getElementsByTagName("td").item(2).getTextContent())
                .isEqualTo("<script>alert('1')</script> & \"quoted\" \ufffd \ufffd");
    }

    @Test
    void of_anAct_hasLanesMarksAndTheirWords() throws Exception {
        String page = Page.of(Scale.QUICK, outcomes("worker-1", "killed with -9"));

        assertThat(page)
                .contains(">worker-1</div>", "class=\"lane\"", "class=\"span held\"")
                .contains("class=\"mark kill\"", "class=\"mark refusal\"", "class=\"curve\"");
        assertThat(parsed(page).getElementsByTagName("li").getLength()).isEqualTo(4 * 3);
    }

    @Test
    void of_anyPage_needsNothingElse() {
        String page = Page.of(Scale.QUICK, outcomes("worker-1", "fine"));

        assertThat(page).doesNotContain("http:", "https:", "src=", "@import", "<link");
        assertThat(page).doesNotContainPattern("url\\((?!#)");
    }

    @Test
    void of_anActThatFailed_saysSo() throws Exception {
        Act act = Act.all().get(2);

        String page = Page.of(Scale.QUICK, List.of(Outcome.failed(act, "worker-3 ended:\n  at <init>", null)));

        assertThat(parsed(page).getElementsByTagName("section").item(0).getTextContent())
                .contains("worker-3 ended:\n  at <init>");
        assertThat(page).contains("✗ no").doesNotContain(act.lesson());
    }

    @Test
    void lastLine_actsThatWereNotPlayed_haveNoNumbers() {
        List<Act> acts = Act.all();

        assertThat(DemoCommand.lastLine(List.of(
                        outcome(acts.get(0), "a", "fine"),
                        new Outcome(acts.get(1), true, "", Map.of("oversold", 0L, "duplicates", 0L), null),
                        new Outcome(acts.get(2), true, "", Map.of("recoveredMillis", 1_970L), null),
                        Outcome.failed(acts.get(3), "not played", null))))
                .isEqualTo(
                        "demo: act1 oversold=3 act2 oversold=0 duplicates=0 act3 recoveredMillis=1970 act4 refused=?");
    }

    @Test
    void claim_whatCannotBeWritten_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PageFile.claim(folder))
                .withMessage("--html: " + folder + " cannot be written (it is a folder)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PageFile.claim(folder.resolve("none/page.html")))
                .withMessageContaining("there is no folder " + folder.resolve("none"));
    }

    @Test
    void claim_aFile_leavesItAsItIs() throws Exception {
        Path old = Files.writeString(folder.resolve("old.html"), "kept");

        PageFile.claim(old);
        PageFile.claim(folder.resolve("new.html"));

        assertThat(old).hasContent("kept");
        assertThat(folder.resolve("new.html")).doesNotExist();
    }
}
