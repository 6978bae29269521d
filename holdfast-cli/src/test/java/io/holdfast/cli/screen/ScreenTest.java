package io.holdfast.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What fits a screen, and what JSON makes of any text. */
class ScreenTest {
    @Test
    void json_anyText_isEscaped() {
        assertThat(Json.text(Map.of("a\"\\", List.of("\u0001\n", 1, true))))
                .isEqualTo("{\"a\\\"\\\\\":[\"\\u0001\\n\",1,true]}");
        assertThat(Json.text(null)).isEqualTo("null");
    }

    @Test
    void fitting_moreLinesThanTheScreenHas_saysHowManyAreLeftOut() {
        assertThat(LiveLines.fitting(List.of("a", "b", "c", "d"), 3)).containsExactly("a", "b", "… and 2 more lines");
        assertThat(LiveLines.fitting(List.of("a", "b", "c"), 3)).containsExactly("a", "b", "c");
    }

    @Test
    void cut_styledLine_countsWhatIsSeen() {
        assertThat(LiveLines.cut("\u001b[1mabcdef\u001b[0m", 3)).isEqualTo("\u001b[1mabc\u001b[0m\u001b[0m");
        assertThat(LiveLines.cut("abc", 3)).isEqualTo("abc");
    }
}
