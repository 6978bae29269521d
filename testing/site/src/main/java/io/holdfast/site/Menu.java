package io.holdfast.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** All pages in groups, for each language. Decisions and evidence have pages of their own that list them. */
final class Menu {
    private static final List<String> FIRST =
            List.of("README.md", "README.zh-CN.md", "guide/tour.md", "guide/README.md", "faq.md", "comparison.md");

    private record Group(String english, String chinese, Predicate<Article> members) {}

    private static final List<Group> GROUPS = List.of(
            new Group("Start", "入门", article -> FIRST.contains(inDocs(article))),
            new Group("Guide", "指南", article -> inDocs(article).startsWith("guide/")),
            new Group(
                    "Reference",
                    "参考（英文）",
                    article -> inDocs(article)
                            .matches("[a-z-]+\\.md|(?:decisions|evidence|spec)/README\\.md|spec/guard\\.md")),
            new Group("Project", "项目（英文）", article -> !article.file().contains("/")));

    private final List<Article> articles;

    Menu(List<Article> articles) {
        this.articles = articles;
    }

    private static String inDocs(Article article) {
        return article.file().replaceFirst("^docs/(?:zh/)?", "");
    }

    String of(String address, boolean chinese) {
        StringBuilder html = new StringBuilder();
        List<Article> left = new ArrayList<>(articles);
        for (Group group : GROUPS) {
            List<Article> all = left.stream().filter(group.members()).toList();
            left.removeAll(all);
            List<Article> shown =
                    all.stream().filter(article -> isFor(article, chinese)).toList();
            if (shown.isEmpty()) {
                continue;
            }
            html.append("<b>")
                    .append(chinese ? group.chinese() : group.english())
                    .append("</b>\n");
            ordered(shown)
                    .forEach(article -> html.append("<a href=\"")
                            .append(Addresses.from(address, article.address()))
                            .append(article.address().equals(address) ? "\" aria-current=\"page\">" : "\">")
                            .append(Html.escape(article.title()))
                            .append("</a>\n"));
        }
        return html.toString();
    }

    /** In Chinese, those that are only in English are shown too. */
    private boolean isFor(Article article, boolean chinese) {
        return article.isChinese() == chinese
                || (chinese && articles.stream().noneMatch(each -> each.file().equals(article.twin())));
    }

    private static List<Article> ordered(List<Article> shown) {
        List<Article> first = new ArrayList<>();
        FIRST.forEach(file -> shown.stream()
                .filter(article -> inDocs(article).equals(file) && !first.contains(article))
                .forEach(first::add));
        shown.stream().filter(article -> !first.contains(article)).forEach(first::add);
        return first;
    }
}
