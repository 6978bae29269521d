package io.holdfast.site;

import io.holdfast.site.Article.Section;
import java.util.List;

/** All sections of one language, as a script that defines them: a page that is read from a disk may read no more. */
final class SearchIndex {
    private static final int MOST = 2_000;

    private SearchIndex() {}

    static String of(List<Article> articles, boolean chinese) {
        StringBuilder script = new StringBuilder("window.holdfastIndex = [\n");
        for (Article article : articles) {
            if (article.isChinese() == chinese) {
                article.sections().forEach(section -> script.append(entry(article, section)));
            }
        }
        return script.append("];\n").toString();
    }

    private static String entry(Article article, Section section) {
        String text = section.text().replaceAll("\\s+", " ");
        return "["
                + String.join(
                        ",",
                        Html.quote(article.address() + (section.level() == 1 ? "" : "#" + section.anchor())),
                        Html.quote(article.title()),
                        Html.quote(section.level() == 1 ? "" : section.heading()),
                        Html.quote(text.length() > MOST ? text.substring(0, MOST) : text))
                + "],\n";
    }
}
