package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Endpoint, health, meters and failure analysis on each store; those in memory have tests of their own. */
@Tag("integration")
class StoresIT {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Boot.dataSource())
            .withConfiguration(Boot.holdfast())
            .withConfiguration(AutoConfigurations.of(HoldfastEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=locks", "management.endpoint.locks.show-values=always")
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    private static void lockIsSeen(AssertableApplicationContext context, String where) {
        assertThat(context).hasNotFailed();
        LockClient locks = context.getBean(LockClient.class);
        locks.lock("order:1").acquire().close();
        Lease lease = locks.lock("order:2").acquire();
        assertThat(Boot.health(context).status()).isEqualTo("UP");
        assertThat(Boot.health(context).details())
                .containsEntry("server", where)
                .containsEntry("held", 1)
                .containsKey("roundTrip");
        broken(context.getBean(LocksEndpoint.class), lease);
        assertThat(holds(context, "released")).isOne();
        assertThat(holds(context, "lost")).isOne();
    }

    private static long holds(AssertableApplicationContext context, String end) {
        return context.getBean(MeterRegistry.class)
                .get("holdfast.lock.hold")
                .tags("lock", "order", "end", end)
                .timer()
                .count();
    }

    /** Looks at it, takes it away, and looks again. */
    private static void broken(LocksEndpoint endpoint, Lease lease) {
        SecurityContext anybody = SecurityContext.NONE;
        LocksReport.Lock seen = endpoint.locks(anybody, "order:", null, null).locks().stream()
                .filter(each -> !each.holders().isEmpty())
                .findFirst()
                .orElseThrow();
        assertThat(seen.name()).isEqualTo("order:2");
        LocksReport.Holder holder = seen.holders().get(0);
        assertThat(holder.token()).as("the greatest that is reserved").isGreaterThanOrEqualTo(lease.token());
        assertThat(holder.client().here()).isTrue();
        assertThat(endpoint.breakClaim(anybody, holder.client().id(), holder.claim(), "lock", "order:2")
                        .getStatus())
                .isEqualTo(204);
        Awaitility.await().until(() -> !lease.isValid());
        assertThat(endpoint.breakClaim(anybody, holder.client().id(), holder.claim(), "lock", "order:2")
                        .getStatus())
                .isEqualTo(404);
    }

    private static String failure(AssertableApplicationContext context) {
        return FailureAnalyzersTest.analyzed(context.getStartupFailure()).getDescription();
    }

    private static void awaitDown(AssertableApplicationContext context) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            assertThat(Boot.health(context).status()).isEqualTo("DOWN");
            assertThat(Boot.health(context).details().get("error")).isNotNull();
        });
    }

    @Test
    void redis_isSeen() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0)) {
            String url = "redis://localhost:" + server.port();
            runner.withPropertyValues("holdfast.store=redis", "holdfast.redis.url=" + url)
                    .run(context -> lockIsSeen(context, url));
        }
    }

    @Test
    void h2_isSeen() {
        runner.withPropertyValues("holdfast.store=jdbc", "holdfast.jdbc.create-tables=true")
                .run(context -> lockIsSeen(context, "DataSource dataSource"));
    }

    @Test
    void zooKeeper_isSeen() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            runner.withPropertyValues(
                            "holdfast.store=zookeeper",
                            "holdfast.zookeeper.connect=" + server.address(),
                            "spring.application.name=shop")
                    .run(context -> lockIsSeen(context, server.address()));
        }
    }

    @Test
    @Tag("full")
    void zooKeeper_thatStops_isDown() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            runner.withPropertyValues("holdfast.store=zookeeper", "holdfast.zookeeper.connect=" + server.address())
                    .run(context -> {
                        server.stop();
                        awaitDown(context);
                    });
        }
    }

    /** Only a Redis may be missing at the start. */
    @Test
    @Tag("full")
    void zooKeeper_down_endsTheStart_alsoWhenPossible() {
        runner.withPropertyValues(
                        "holdfast.store=zookeeper",
                        "holdfast.zookeeper.connect=localhost:1",
                        "holdfast.start=when-possible")
                .run(context -> assertThat(failure(context)).contains("Holdfast cannot use the store of its locks"));
    }

    @Test
    @Tag("full")
    void postgres_isSeen_andSeenToBeDown() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            runner.withPropertyValues(
                            "holdfast.store=jdbc",
                            "holdfast.jdbc.create-tables=true",
                            "spring.datasource.hikari.connection-timeout=500",
                            "spring.datasource.url=" + server.url())
                    .run(context -> {
                        lockIsSeen(context, "DataSource dataSource");
                        server.close();
                        awaitDown(context);
                    });
        }
    }

    @Test
    void tables_missing_endTheStart() {
        runner.withPropertyValues("holdfast.store=jdbc")
                .run(context -> assertThat(failure(context)).containsIgnoringCase("holdfast_lock"));
    }

    @Test
    void database_down_endsTheStart_alsoWhenPossible() {
        runner.withPropertyValues(
                        "holdfast.store=jdbc",
                        "holdfast.start=when-possible",
                        "spring.datasource.url=jdbc:h2:tcp://localhost:1/shop",
                        "spring.datasource.hikari.connection-timeout=250")
                .run(context -> assertThat(failure(context)).contains("Holdfast cannot use the store of its locks"));
    }
}
