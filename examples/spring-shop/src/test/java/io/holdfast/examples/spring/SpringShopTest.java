package io.holdfast.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Presses the buttons. */
@Tag("integration")
class SpringShopTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern TOO_MANY = Pattern.compile("\"tooMany\":(\\d+)");

    private static ConfigurableApplicationContext shop;
    private static String url;

    @BeforeAll
    static void open() {
        shop = SpringApplication.run(SpringShop.class, "--server.port=0");
        url = "http://localhost:" + shop.getEnvironment().getProperty("local.server.port");
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static String ask(String method, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url + path))
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static int tooMany(Way way) throws IOException, InterruptedException {
        String result = ask("POST", "/sales/" + way);
        Matcher matcher = TOO_MANY.matcher(result);
        assertThat(matcher.find()).as(result).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"BY_HAND", "AT_RETURN"})
    void sale_lockEndsBeforeTheCommit_sellsTooMany(Way way) {
        await().atMost(PATIENCE).until(() -> tooMany(way) > 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCKED", "FENCED"})
    void sale_lockEndsAfterTheCommit_sellsWhatIsThere(Way way) throws Exception {
        String result = ask("POST", "/sales/" + way);
        assertThat(result).contains("\"sold\":50", "\"tooMany\":0");
    }

    @Test
    void page_andActuator_areThere() throws Exception {
        assertThat(ask("GET", "/")).contains("<title>");
        assertThat(ask("GET", "/actuator/locks")).contains("locks");
        assertThat(ask("GET", "/actuator/health")).contains("holdfast");
    }
}
