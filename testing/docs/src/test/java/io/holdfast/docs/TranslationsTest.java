package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages in Chinese are those in English, with the same code, which is not run a second time. */
class TranslationsTest {
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)#]+)");
    private static final Pattern STRONG = Pattern.compile("(\\S?)\\*\\*([^*]+)\\*\\*(?=(\\S?))");
    private static final Pattern SIX_WORDS = Pattern.compile("(?:[A-Za-z]['\\w-]*,? ){5,}[A-Za-z]\\w*");

    private static final String LETTER = "[\\p{L}\\p{N}]";
    private static final String MARK = "[\\p{P}\\p{S}]";

    private static Stream<Page> chinese() {
        return Page.all().stream().filter(Page::isTranslation);
    }

    /** Their paths, the same in {@code docs} and in {@code docs/zh}; without the entry, which has no counterpart. */
    private static Stream<String> names() {
        return chinese()
                .map(page -> page.name().substring(Page.CHINESE.length()))
                .filter(name -> !name.equals("README.md"));
    }

    @Test
    void pages_forUsers_areInBothLanguages() {
        assertThat(names())
                .containsExactlyInAnyOrderElementsOf(Page.originals().stream()
                        .map(Page::name)
                        .filter(name -> name.startsWith("docs/guide/")
                                || name.equals("docs/faq.md")
                                || name.equals("docs/comparison.md"))
                        .map(name -> name.substring("docs/".length()))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("names")
    void page_inBothLanguages_hasTheSameOutlineAndNames(String name) {
        Page translation = Page.read(Page.ROOT.resolve(Page.CHINESE + name));
        Page original = Page.read(Page.ROOT.resolve("docs/" + name));

        assertThat(Outline.of(translation)).isEqualTo(Outline.of(original));
        assertThat(Outline.namesOf(translation)).isEqualTo(Outline.namesOf(original));
    }

    @Test
    void page_thatDiffersInOnePart_isFound() {
        String text = "# A\n\n- b\n\n| c | `d|e` |\n|---|---|\n\n```java\nf();   // g\n```\n";

        assertThat(outline(text)).isEqualTo(outline(text.replace("// g", "// h").replace("b", "i")));
        assertThat(outline(text))
                .isNotEqualTo(outline(text.replace("f();", "g();")))
                .isNotEqualTo(outline(text.replace("- b\n", "")))
                .isNotEqualTo(outline(text.replace("| c ", "")))
                .isNotEqualTo(outline(text.replace("# A", "## A")))
                .isNotEqualTo(outline(text.replace("```java", "```text")));
    }

    private static List<String> outline(String text) {
        return Outline.of(new Page("made-up.md", text.lines().toList()));
    }

    /** But for the link to the same page in English. */
    @Test
    void links_ofChinesePages_leadToChinesePages() {
        assertThat(chinese())
                .flatMap(page -> found(LINK, page, link -> leadsToEnglish(page, link)))
                .isEmpty();
    }

    private static boolean leadsToEnglish(Page page, MatchResult link) {
        Path docs = Page.ROOT.resolve("docs");
        Path target = page.file().resolveSibling(link.group(2)).normalize();
        return !link.group(1).equals("English")
                && target.startsWith(docs)
                && Files.exists(Page.ROOT.resolve(Page.CHINESE).resolve(docs.relativize(target)));
    }

    /** With punctuation just inside of the stars and a letter just outside, Markdown shows the stars. */
    @Test
    void stars_ofChinesePages_areNotShown() {
        assertThat(chinese())
                .flatMap(page -> found(STRONG, page, TranslationsTest::showsItsStars))
                .isEmpty();
    }

    private static boolean showsItsStars(MatchResult strong) {
        boolean opens = strong.group(1).matches(LETTER) && strong.group(2).matches(MARK + ".*");
        boolean closes = strong.group(2).matches(".*" + MARK) && strong.group(3).matches(LETTER);
        return opens || closes;
    }

    @Test
    void stars_betweenPunctuationAndALetter_areFound() {
        assertThat(Stream.of("**甲。**乙", "甲**（乙）**。")
                        .flatMap(line -> STRONG.matcher(line).results()))
                .hasSize(2)
                .allMatch(TranslationsTest::showsItsStars);
        assertThat(Stream.of("**甲**。乙", "**甲。** 乙", "甲**乙**丙")
                        .flatMap(line -> STRONG.matcher(line).results()))
                .hasSize(3)
                .noneMatch(TranslationsTest::showsItsStars);
    }

    @Test
    void sentences_ofChinesePages_areNotInEnglish() {
        assertThat(chinese())
                .flatMap(page -> found(SIX_WORDS, page, words -> true))
                .isEmpty();
    }

    /** What a pattern finds in the text, where code is only code. */
    private static List<String> found(Pattern pattern, Page page, Predicate<MatchResult> wrong) {
        return Links.proseOf(page).stream()
                .map(line -> Blocks.CODE.matcher(line).replaceAll("`code`"))
                .flatMap(line -> pattern.matcher(line).results())
                .filter(wrong)
                .map(match -> page.name() + ": " + match.group())
                .toList();
    }
}
