package io.holdfast.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Writes the site to a folder. */
final class Site {
    private static final String LISTED = "docs/decisions/";

    private final Repository repository;
    private final Path out;

    Site(Repository repository, Path out) {
        this.repository = repository;
        this.out = out;
    }

    /** Writes all of it; returns how many pages there are. */
    int write() {
        Renderer renderer = new Renderer(repository);
        List<Article> articles =
                complete(repository.pages().stream().map(renderer::render).toList());
        List<String> modules = javadoc();
        Layout layout = new Layout(articles, !modules.isEmpty());
        articles.forEach(article -> write(article.address(), layout.page(article)));
        renderer.files().stream().filter(repository::isThere).forEach(file -> file(file, layout));
        renderer.folders().forEach(folder -> folder(folder, layout));
        write("search-en.js", SearchIndex.of(articles, false));
        write("search-zh.js", SearchIndex.of(articles, true));
        write("site.css", resource("site.css"));
        write("site.js", resource("site.js"));
        if (!modules.isEmpty()) {
            write("javadoc/index.html", layout.page("javadoc/index.html", "Javadoc", list("Javadoc", modules)));
        }
        return articles.size();
    }

    /** Pages that nobody links to stand on the page of their folder. */
    private static List<Article> complete(List<Article> articles) {
        return articles.stream()
                .map(article -> article.file().equals(LISTED + "README.md") ? listing(article, articles) : article)
                .toList();
    }

    private static Article listing(Article index, List<Article> articles) {
        StringBuilder html = new StringBuilder(index.html()).append("<ul>\n");
        articles.stream()
                .filter(each -> each.file().startsWith(LISTED) && !each.file().equals(index.file()))
                .forEach(each -> html.append("<li><a href=\"")
                        .append(Addresses.from(index.address(), each.address()))
                        .append("\">")
                        .append(Html.escape(each.title()))
                        .append("</a></li>\n"));
        return new Article(index.file(), index.title(), html.append("</ul>\n").toString(), index.sections());
    }

    private void file(String file, Layout layout) {
        if (Addresses.isPicture(file)) {
            write(file, repository.bytes(file));
            return;
        }
        String address = Addresses.of(file);
        String html = "<h1 class=\"file\">" + Html.escape(file) + "</h1>\n<pre><code>"
                + Html.escape(repository.read(file)) + "</code></pre>\n";
        write(address, layout.page(address, file.substring(file.lastIndexOf('/') + 1), html));
    }

    private void folder(String folder, Layout layout) {
        String address = Addresses.ofFolder(folder);
        StringBuilder html = new StringBuilder("<h1 class=\"file\">" + Html.escape(folder) + "</h1>\n<ul>\n");
        repository
                .entries(folder)
                .forEach(entry -> html.append("<li>").append(Html.escape(entry)).append("</li>\n"));
        write(address, layout.page(address, folder, html.append("</ul>\n").toString()));
    }

    private static String list(String title, List<String> modules) {
        StringBuilder html = new StringBuilder("<h1>" + title + "</h1>\n<ul>\n");
        modules.forEach(module -> html.append("<li><a href=\"%1$s/index.html\">%1$s</a></li>\n".formatted(module)));
        return html.append("</ul>\n").toString();
    }

    /** Copies what the build has made of it; returns the modules that have some. */
    private List<String> javadoc() {
        return repository.entries("").stream()
                .filter(entry -> entry.startsWith("holdfast-") && entry.endsWith("/"))
                .map(entry -> entry.substring(0, entry.length() - 1))
                .filter(this::copyJavadoc)
                .toList();
    }

    private boolean copyJavadoc(String module) {
        for (String place : List.of("/target/reports/apidocs", "/target/apidocs")) {
            Path docs = repository.root().resolve(module + place);
            if (Files.exists(docs.resolve("index.html"))) {
                copy(docs, out.resolve("javadoc").resolve(module));
                return true;
            }
        }
        return false;
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(Objects.requireNonNull(copy.getParent()));
                Files.write(copy, Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Site.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String address, String text) {
        write(address, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String address, byte[] bytes) {
        Path file = out.resolve(address);
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
