package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Everybody's locks over HTTP, once as it is by default and once with everything allowed. */
@Tag("integration")
class LocksEndpointIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext closed;
    private static ConfigurableApplicationContext open;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        final List<AuditApplicationEvent> audited = new CopyOnWriteArrayList<>();

        @EventListener
        void audited(AuditApplicationEvent event) {
            audited.add(event);
        }
    }

    @BeforeAll
    static void start() {
        closed = application();
        open = application(
                "management.endpoint.locks.access=unrestricted", "management.endpoint.locks.show-values=always");
    }

    @AfterAll
    static void stop() {
        closed.close();
        open.close();
    }

    @AfterEach
    void nobodyHoldsAnything() {
        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                open.getBean(LockClient.class).inspector().list(""))
                        .isEmpty());
    }

    private static ConfigurableApplicationContext application(String... more) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "holdfast.store=memory",
                        "management.endpoints.web.exposure.include=locks,health,info",
                        "management.endpoint.health.show-details=always",
                        "management.health.redis.enabled=false",
                        "management.health.db.enabled=false",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .properties(more)
                .run();
    }

    private static HttpResponse<String> send(ConfigurableApplicationContext context, String method, String path)
            throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void get_byDefault_showsHoldersWithMaskedNames() throws Exception {
        try (Lease lease = closed.getBean(LockClient.class).lock("order:secret").acquire()) {
            lease.ensureValid();
            String all = send(closed, "GET", "locks").body();
            assertThat(all)
                    .contains("\"name\":\"order:******\"")
                    .contains("\"kind\":\"lock\"")
                    .contains("\"token\":")
                    .contains("\"here\":true")
                    .contains("\"more\":false")
                    .doesNotContain("secret");
        }
    }

    @Test
    void get_ofOne_showsItOrNotFound() throws Exception {
        try (Lease lease = open.getBean(LockClient.class).lock("a/b:1").acquire()) {
            lease.ensureValid();
            HttpResponse<String> found = send(open, "GET", "locks/lock/a/b:1");
            assertThat(found.statusCode()).isEqualTo(200);
            assertThat(found.body()).contains("\"name\":\"a/b:1\"").contains("\"token\":");
            assertThat(send(open, "GET", "locks/semaphore/a/b:1").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void get_withPrefixAndLimit_showsThatManyOfThem() throws Exception {
        LockClient locks = open.getBean(LockClient.class);
        try (Lease one = locks.lock("order:1").acquire();
                Lease two = locks.lock("order:2").acquire();
                Lease other = locks.lock("stock:1").acquire()) {
            assertThat(other.isValid()).isTrue();
            assertThat(send(open, "GET", "locks?prefix=order:").body())
                    .contains("order:1", "order:2")
                    .doesNotContain("stock");
            assertThat(send(open, "GET", "locks?limit=1").body()).contains("\"more\":true");
        }
    }

    @Test
    void get_withALimitOutOfRangeOrAnUnknownKind_isABadRequest() throws Exception {
        assertThat(send(open, "GET", "locks?limit=0").statusCode()).isEqualTo(400);
        assertThat(send(open, "GET", "locks?limit=1001").statusCode()).isEqualTo(400);
        assertThat(send(open, "GET", "locks/lok/x").statusCode()).isEqualTo(400);
    }

    @Test
    void delete_byDefault_isNotThere() throws Exception {
        try (Lease lease = closed.getBean(LockClient.class).lock("order:1").acquire()) {
            assertThat(send(closed, "DELETE", claimOf(closed, "order:1")).statusCode())
                    .isEqualTo(405);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void delete_whereAllowed_breaksAndIsAudited() throws Exception {
        Lease lease = open.getBean(LockClient.class).lock("order:1").acquire();
        String claim = claimOf(open, "order:1");

        assertThat(send(open, "DELETE", claim).statusCode()).isEqualTo(204);

        Awaitility.await().until(() -> !lease.isValid());
        assertThat(send(open, "DELETE", claim).statusCode()).isEqualTo(404);
        assertThat(open.getBean(Application.class).audited).singleElement().satisfies(event -> {
            assertThat(event.getAuditEvent().getType()).isEqualTo("HOLDFAST_LOCK_BROKEN");
            assertThat(event.getAuditEvent().getData()).containsEntry("name", "order:1");
        });
    }

    private static String claimOf(ConfigurableApplicationContext context, String name) {
        LockStatus.Holder holder = context.getBean(LockClient.class)
                .inspector()
                .find(LockKind.LOCK, name)
                .orElseThrow()
                .holders()
                .get(0);
        return "locks/lock/" + name + "?client=" + holder.client().id() + "&claim=" + holder.claim();
    }

    @Test
    void health_showsTheStore() throws Exception {
        assertThat(send(open, "GET", "health").body())
                .contains("\"holdfast\":{")
                .contains("\"server\":\"memory of this process\"");
    }

    @Test
    void info_showsElections() throws Exception {
        try (var candidacy =
                open.getBean(LockClient.class).election("billing").stand(term -> new CountDownLatch(1).await())) {
            assertThat(candidacy).isNotNull();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(send(open, "GET", "info").body())
                            .contains("\"billing\":{")
                            .contains("\"leader\":true"));
        }
    }
}
