package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

class PictureTest {
    private final Words words = Words.in("en");

    @Test
    void of_fourActs_isOneDrawingThatNeedsNothingElse() throws Exception {
        String picture = Picture.of(words, PageTest.outcomes("worker-1", "killed with -9"));

        Document document = PageTest.parsed(picture);
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("g").getLength()).isEqualTo(4);
        assertThat(picture)
                .contains("class=\"span held\"", "class=\"mark kill\"", "class=\"wrong\"")
                .doesNotContain("href", "<div", "@import")
                .doesNotContainPattern("url\\((?!#)");
    }

    @Test
    void of_longTokens_haveTheirEndsOnly() {
        String picture = Picture.of(words, PageTest.outcomes("worker-1", "token 1794993606864604 is behind"));

        assertThat(picture).contains(">token …864604 is behind<");
    }

    @Test
    void of_anActThatWasNotPlayed_isStillADrawing() throws Exception {
        Act act = Act.all(words).get(2);

        String picture = Picture.of(words, List.of(new Outcome(act, false, "not played", Map.of(), null)));

        assertThat(PageTest.parsed(picture).getDocumentElement().getTextContent())
                .contains("not played");
    }

    /** Those of the first page are of a run of this demo, in its language. */
    @ParameterizedTest
    @ValueSource(strings = {"en", "zh"})
    void pictures_ofTheFirstPage_areDrawnByThisDemo(String language) throws Exception {
        Path file = Path.of("../docs", language.equals("en") ? "demo.svg" : "zh/demo.svg");
        String drawn = Files.readString(file);

        assertThat(PageTest.parsed(drawn).getElementsByTagName("g").getLength()).isEqualTo(4);
        assertThat(Act.all(Words.in(language)))
                .allSatisfy(act -> assertThat(drawn).contains(act.title()));
        assertThat(drawn).contains("mark kill", "mark refusal", "curve over");
    }
}
