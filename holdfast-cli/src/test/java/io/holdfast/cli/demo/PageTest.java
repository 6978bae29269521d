package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Sign;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PageTest {
    private static final String EVIL = "<script>alert('1')</script> & \"quoted\" \u0001 \ud800";

    private static final Words ENGLISH = Words.in("en");

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

    static List<Outcome> outcomes(String lane, String text) {
        return Act.all(ENGLISH).stream().map(act -> outcome(act, lane, text)).toList();
    }

    static Document parsed(String page) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(page)));
    }

    @Test
    void of_evilTexts_isStillOnePageOfText() throws Exception {
        String page = Page.of(ENGLISH, Scale.QUICK, outcomes(EVIL, EVIL));

        Document document = parsed(page);
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(document.getElementsByTagName("section").getLength()).isEqualTo(4);
        assertThat(document.getElementsByTagName("td").item(2).getTextContent())
                .isEqualTo("<script>alert('1')</script> & \"quoted\" \ufffd \ufffd");
    }

    @Test
    void of_anAct_hasLanesMarksAndTheirWords() throws Exception {
        String page = Page.of(ENGLISH, Scale.QUICK, outcomes("worker-1", "killed with -9"));

        assertThat(page)
                .contains(">worker-1</div>", "class=\"lane\"", "class=\"span held\"")
                .contains("class=\"mark kill\"", "class=\"mark refusal\"", "class=\"curve\"");
        assertThat(parsed(page).getElementsByTagName("li").getLength()).isEqualTo(4 * 3);
    }

    @Test
    void of_anyPage_needsNothingElse() {
        String page = Page.of(ENGLISH, Scale.QUICK, outcomes("worker-1", "fine"));

        assertThat(page).doesNotContain("src=", "@import", "<link").doesNotContainPattern("url\\((?!#)");
        assertThat(page.replace("<a href=\"" + Page.PROJECT + "\">", "<a>")).doesNotContain("http:", "https:");
    }

    @Test
    void of_anActThatFailed_saysSo() throws Exception {
        Act act = Act.all(ENGLISH).get(2);

        String page = Page.of(ENGLISH, Scale.QUICK, List.of(Outcome.failed(act, "worker-3 ended:\n  at <init>", null)));

        assertThat(parsed(page).getElementsByTagName("section").item(0).getTextContent())
                .contains("worker-3 ended:\n  at <init>");
        assertThat(page).contains("✗ NOT SHOWN").doesNotContain(act.lesson());
    }

    @Test
    void of_oversoldInActOne_isNotCalledGood() {
        String page = Page.of(ENGLISH, Scale.QUICK, outcomes("worker-1", "fine"));

        assertThat(page)
                .contains("<td class=\"wrong\">✗ oversold</td>", "<td class=\"yes\">✓ right</td>")
                .contains("class=\"result wrong\"")
                .doesNotContain("✓ oversold", "class=\"no\"");
    }

    @Test
    void of_anyPage_endsWithALineToTheProject() throws Exception {
        String page = Page.of(ENGLISH, Scale.QUICK, outcomes("worker-1", "fine"));

        assertThat(parsed(page).getElementsByTagName("footer").item(0).getTextContent())
                .contains("Holdfast: distributed locks for Java", "holdfast demo --html");
    }

    /** On a phone a word is as wide as a third of the drawing: whatever stands in it stands above all of the curve. */
    @Test
    void of_anyWidth_noLabelCrossesTheCurve() throws Exception {
        Timeline steep = new Timeline(List.of("worker-1"), 0);
        steep.setStock(100);
        for (int i = 0; i < 300; i++) {
            steep.sale(1_000 + i);
        }
        steep.span("worker-1", Shade.CROWD, 0, 1_000_000);
        Outcome oversold = new Outcome(Act.all(ENGLISH).get(0), true, "300 sold", Map.of("oversold", 200L), steep);

        Document document = parsed(Page.of(ENGLISH, Scale.QUICK, List.of(oversold)));

        Element curve = (Element) document.getElementsByTagName("polyline").item(0);
        Element drawing = (Element) curve.getParentNode().getParentNode();
        double top = Arrays.stream(curve.getAttribute("points").split(" ", -1))
                .filter(point -> !point.isBlank())
                .mapToDouble(
                        point -> Double.parseDouble(point.substring(point.indexOf(',') + 1)) * Curve.HEIGHT / 1_000)
                .min()
                .orElseThrow();
        NodeList labels = drawing.getElementsByTagName("text");
        assertThat(labels.getLength()).isEqualTo(1);
        assertThat(Double.parseDouble(((Element) labels.item(0)).getAttribute("y")))
                .isLessThan(top);
        assertThat(drawing.getPreviousSibling().getPreviousSibling().getTextContent())
                .contains("stock 100");
    }

    @Test
    void of_chinese_isInChinese() throws Exception {
        Words chinese = Words.in("zh");
        List<Outcome> played = Act.all(chinese).stream()
                .map(act -> outcome(act, "worker-1", act.verdict()))
                .toList();

        Document document = parsed(Page.of(chinese, Scale.QUICK, played));

        assertThat(document.getDocumentElement().getAttribute("lang")).isEqualTo("zh");
        assertThat(document.getElementsByTagName("main").item(0).getTextContent())
                .contains("四幕秒杀", "不加锁的秒杀", "超卖", "库存 100")
                .doesNotContain("lock", "sold", "voucher");
    }

    @Test
    void lastLine_actsThatWereNotPlayed_haveNoNumbers() {
        List<Act> acts = Act.all(ENGLISH);

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
                .isThrownBy(() -> PageFile.claim("--html", folder))
                .withMessage("--html: " + folder + " cannot be written (it is a folder)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PageFile.claim("--html", folder.resolve("none/page.html")))
                .withMessageContaining("there is no folder " + folder.resolve("none"));
    }

    @Test
    void claim_aFile_leavesItAsItIs() throws Exception {
        Path old = Files.writeString(folder.resolve("old.html"), "kept");

        PageFile.claim("--html", old);
        PageFile.claim("--html", folder.resolve("new.html"));

        assertThat(old).hasContent("kept");
        assertThat(folder.resolve("new.html")).doesNotExist();
    }
}
