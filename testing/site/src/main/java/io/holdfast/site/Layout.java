package io.holdfast.site;

import io.holdfast.site.Article.Section;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What stands around every article: the way to the others, the search, the other language, light and dark. */
final class Layout {
    private static final int DEEPEST = 2;

    private final Menu menu;
    private final Set<String> files;
    private final boolean javadoc;

    /**
     * Lays out a site.
     *
     * @param articles all of it
     * @param javadoc whether it is there
     */
    Layout(List<Article> articles, boolean javadoc) {
        this.menu = new Menu(articles);
        this.files = articles.stream().map(Article::file).collect(Collectors.toSet());
        this.javadoc = javadoc;
    }

    String page(Article article) {
        return page(
                article.address(), article.title(), article.isChinese(), other(article), article.html(), toc(article));
    }

    /** A page that is in no menu, such as a file of the sources. */
    String page(String address, String title, String html) {
        return page(address, title, false, "index.zh.html", html, "");
    }

    private String page(String address, String title, boolean chinese, String other, String html, String toc) {
        String root = address.replaceAll("[^/]", "").replace("/", "../");
        String api = javadoc ? "<a href=\"" + root + "javadoc/index.html\">Javadoc</a>" : "";
        return """
                <!DOCTYPE html>
                <html lang="%1$s">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%2$s</title>
                <link rel="stylesheet" href="%3$ssite.css">
                <script src="%3$ssite.js" data-root="%3$s" data-lang="%1$s"></script>
                </head>
                <body>
                <header>
                <a class="name" href="%3$s%4$s">Holdfast</a>
                <input id="search" type="search" placeholder="%5$s" aria-label="%5$s" autocomplete="off">
                <nav>%6$s<a href="%7$s" hreflang="%8$s">%9$s</a><button id="theme" aria-label="%10$s">◐</button></nav>
                </header>
                <div id="found" hidden></div>
                <div class="columns">
                <details class="menu" open><summary>%11$s</summary>
                %12$s</details>
                <main>
                %13$s</main>
                <aside>%14$s</aside>
                </div>
                </body>
                </html>
                """.formatted(
                        chinese ? "zh" : "en",
                        Html.escape(title.equals("Holdfast") ? title : title + " · Holdfast"),
                        root,
                        chinese ? "index.zh.html" : "index.html",
                        chinese ? "搜索" : "Search",
                        api,
                        Addresses.from(address, other),
                        chinese ? "en" : "zh",
                        chinese ? "English" : "中文",
                        chinese ? "浅色或深色" : "light or dark",
                        chinese ? "目录" : "Pages",
                        menu.of(address, chinese),
                        html,
                        toc);
    }

    /** The same page in the other language, or the first page if there is none. */
    private String other(Article article) {
        String twin = article.twin();
        if (files.contains(twin)) {
            return Addresses.of(twin);
        }
        return article.isChinese() ? "index.html" : "index.zh.html";
    }

    private static String toc(Article article) {
        StringBuilder toc = new StringBuilder();
        for (Section section : article.sections()) {
            if (section.level() == DEEPEST) {
                toc.append("<a href=\"#")
                        .append(section.anchor())
                        .append("\">")
                        .append(Html.escape(section.heading()))
                        .append("</a>");
            }
        }
        return toc.toString();
    }
}
