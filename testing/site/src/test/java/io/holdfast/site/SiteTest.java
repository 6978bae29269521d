package io.holdfast.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this repository, as every build renders it. */
class SiteTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    /** Where a person finds it after the build. */
    private static final Path OUT = Path.of("target", "site").toAbsolutePath();

    @TempDir
    private Path folder;

    @BeforeAll
    static void render() {
        assertThat(new Site(new Repository(ROOT), OUT).write()).isGreaterThan(100);
    }

    private static String page(String address) throws IOException {
        return Files.readString(OUT.resolve(address));
    }

    @Test
    void links_ofTheWholeSite_leadSomewhereAndAskNobodyElse() {
        assertThat(DeadLinks.of(OUT)).isEmpty();
        assertThat(OUT.resolve("site.css")).content().doesNotContain("url(", "@import", "http");
        assertThat(OUT.resolve("site.js")).content().doesNotContain("http", "fetch(");
    }

    @Test
    void deadLinks_anyOfThem_areFound() throws IOException {
        Files.writeString(
                folder.resolve("a.html"),
                "<h1 id=\"a\"></h1><a href=\"#a\"></a><a href=\"#b\"></a><a href=\"c.html\"></a>"
                        + "<a href=\"https://x\"></a><script src=\"https://y/z.js\"></script>");

        assertThat(DeadLinks.of(folder))
                .containsExactly(
                        "a.html leads nowhere: #b",
                        "a.html leads nowhere: c.html",
                        "a.html asks another host: https://y/z.js");
    }

    @Test
    void pages_inTwoLanguages_leadToEachOther() throws IOException {
        assertThat(page("index.html")).contains("<html lang=\"en\">", "href=\"index.zh.html\" hreflang=\"zh\"");
        assertThat(page("docs/zh/guide/lock.html"))
                .contains("<html lang=\"zh\">", "href=\"../../guide/lock.html\" hreflang=\"en\"");
        assertThat(page("docs/guide/lock.html")).contains("href=\"../zh/guide/lock.html\" hreflang=\"zh\"");
    }

    @Test
    void page_ofTheGuide_hasItsCodeTablesAndPictures() throws IOException {
        assertThat(page("index.html"))
                .contains("<img src=\"docs/demo.svg\"", "<code class=\"language-java\">", "<th>", "id=\"ten-lines\"")
                .doesNotContain("<!-- then");
        assertThat(OUT.resolve("docs/demo.svg")).isNotEmptyFile();
    }

    /** Tests that pages cite can be read where the page is read. */
    @Test
    void source_thatIsCited_isInTheSite() throws IOException {
        assertThat(page("files/holdfast-tck/src/main/java/io/holdfast/tck/MutexContract.java.html"))
                .contains("acquire_holderCrashed_getsItWhenItsLeaseEnds");
    }

    @Test
    void search_ofEachLanguage_knowsItsPages() throws IOException {
        assertThat(page("search-en.js")).contains("docs/guide/lock.html").doesNotContain("docs/zh/");
        assertThat(page("search-zh.js"))
                .contains("docs/zh/guide/lock.html", "看门狗")
                .doesNotContain("\"docs/guide/");
    }

    @Test
    void javadoc_ofAModuleThatWasBuilt_isBesideIt() throws IOException {
        Path made = Files.createDirectories(folder.resolve("holdfast-core/target/reports/apidocs"));
        Files.writeString(made.resolve("index.html"), "<p>the API</p>");
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("README.md"), "# A\n");
        Files.writeString(folder.resolve("README.zh-CN.md"), "# B\n");

        new Site(new Repository(folder), folder.resolve("out")).write();

        assertThat(folder.resolve("out/javadoc/holdfast-core/index.html")).hasContent("<p>the API</p>");
        assertThat(folder.resolve("out/index.html")).content().contains("<a href=\"javadoc/index.html\">Javadoc</a>");
        assertThat(DeadLinks.of(folder.resolve("out"))).isEmpty();
    }

    @Test
    void server_pages_areShownAndNothingOutside() throws Exception {
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "hello");
        try (Server server = Server.start(site, 0)) {
            assertThat(get(server, "").body()).isEqualTo("hello");
            assertThat(get(server, "").headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(get(server, "nothing.html").statusCode()).isEqualTo(404);
            assertThat(get(server, "..%2Fsecret.txt").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void run_portIsTaken_saysSo() throws IOException {
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("README.md"), "# A\n");
        Files.writeString(folder.resolve("README.zh-CN.md"), "# B\n");
        try (Server other = Server.start(folder, 0)) {
            String port = other.url().replaceAll("\\D", "");

            assertThat(Main.run(new String[] {folder.toString(), "--serve", "--port", port}))
                    .isEqualTo(1);
            assertThat(Main.run(new String[] {folder.toString(), "--unknown"})).isEqualTo(2);
        }
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.url() + path)).build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
