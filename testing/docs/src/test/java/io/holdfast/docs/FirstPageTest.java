package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first page, in both languages: short, the same, and with no number that was not measured. */
class FirstPageTest {
    private static final String ENGLISH = "README.md";
    private static final String CHINESE = "README.zh-CN.md";
    private static final int MOST_WORDS = 700;
    private static final int MOST_CHARACTERS = 1_400;

    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->");
    private static final Pattern TARGET = Pattern.compile("\\]\\(([^)]*)\\)");
    private static final Pattern WORD = Pattern.compile("[^\\s|]*[\\p{L}\\p{N}][^\\s|]*");
    /** Not the second half of a name, such as a licence's. */
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+(?:[.,]\\d+)*");

    @Test
    void page_inEnglish_hasAtMost700Words() {
        assertThat(WORD.matcher(proseOf(ENGLISH)).results().count()).isBetween(200L, (long) MOST_WORDS);
    }

    @Test
    void page_inChinese_hasAtMost1400Characters() {
        assertThat(proseOf(CHINESE)
                        .codePoints()
                        .filter(Character::isLetterOrDigit)
                        .count())
                .isBetween(500L, (long) MOST_CHARACTERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void tenLines_areTenLines(String page) {
        Block first = blocks(page).stream()
                .filter(block -> block.language().equals("java"))
                .findFirst()
                .orElseThrow();

        assertThat(first.lines()).hasSize(10).noneMatch(String::isBlank);
    }

    /** Whoever writes new evidence writes new numbers here. */
    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void numbers_areInTheEvidence(String page) {
        Set<String> measured = Page.all().stream()
                .filter(each -> each.name().startsWith("docs/evidence/"))
                .flatMap(each -> each.lines().stream())
                .flatMap(line -> numbersIn(line))
                .collect(Collectors.toSet());

        assertThat(numbersIn(proseOf(page)).toList()).hasSizeGreaterThan(30).isSubsetOf(measured);
    }

    private static Stream<String> numbersIn(String text) {
        return NUMBER.matcher(text).results().map(found -> found.group().replace(",", ""));
    }

    /** Comments are in the language of the page; everything else is the same. */
    @Test
    void pages_inBothLanguages_showTheSame() {
        assertThat(codeOf(CHINESE)).hasSizeGreaterThan(15).isEqualTo(codeOf(ENGLISH));
        assertThat(Outline.of(page(CHINESE))).isEqualTo(Outline.of(page(ENGLISH)));
        assertThat(targetsOf(CHINESE)).hasSizeGreaterThan(30).isEqualTo(targetsOf(ENGLISH));
    }

    private static List<String> codeOf(String page) {
        return blocks(page).stream()
                .flatMap(block -> Outline.codeOf(block).stream())
                .toList();
    }

    /** Where links lead, but for the language of what is there, and the link to the other page. */
    private static List<String> targetsOf(String page) {
        return page(page).lines().stream()
                .flatMap(line -> TARGET.matcher(line).results())
                .map(link -> link.group(1).replace(Page.CHINESE, "docs/"))
                .filter(target -> !target.startsWith("README"))
                .toList();
    }

    private static Page page(String name) {
        return Page.read(Page.ROOT.resolve(name));
    }

    private static List<Block> blocks(String page) {
        return Blocks.of(page(page)).found();
    }

    /** What a reader reads: no code, no comments, not where links lead. */
    private static String proseOf(String page) {
        return Links.proseOf(page(page)).stream()
                .map(line -> COMMENT.matcher(line).replaceAll(""))
                .map(line -> Blocks.CODE.matcher(line).replaceAll(""))
                .map(line -> TARGET.matcher(line).replaceAll("]"))
                .collect(Collectors.joining("\n"));
    }
}
