package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WordsTest {
    private static final Pattern PLACE = Pattern.compile("\\{\\d}");

    private final Words english = Words.in("en");
    private final Words chinese = Words.in("zh");

    @Test
    void say_inBothLanguages_hasTheSameKeysAndNumbers() {
        assertThat(chinese.keys()).isEqualTo(english.keys()).hasSizeGreaterThan(50);
        assertThat(english.keys())
                .allSatisfy(key -> assertThat(places(chinese.say(key))).as(key).isEqualTo(places(english.say(key))));
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void say_withValues_hasThemInTheirPlaces() {
        assertThat(english.say("sale.even", 99, 100, 7)).isEqualTo("99 sold of 100: one each, 7 sold/s");
        assertThat(chinese.say("sale.even", 99, 100, 7)).isEqualTo("100 张卖出 99 张：一人一张，每秒 7 张");
    }

    @Test
    void in_anotherLanguage_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Words.in("fr"))
                .withMessage("--lang: 'fr' is none of en, zh");
    }
}
