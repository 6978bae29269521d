package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Health, meters and failure analysis on the stores that need a server of their own. */
@Tag("integration")
class StoresIT {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Boot.dataSource())
            .withConfiguration(Boot.holdfast())
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    private static void lockIsSeen(AssertableApplicationContext context, String where) {
        assertThat(context).hasNotFailed();
        try (Lease lease = context.getBean(LockClient.class).lock("order:1").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(Boot.health(context).status()).isEqualTo("UP");
            assertThat(Boot.health(context).details())
                    .containsEntry("server", where)
                    .containsEntry("held", 1);
        }
        assertThat(context.getBean(MeterRegistry.class)
                        .get("holdfast.lock.hold")
                        .tags("lock", "order", "end", "released")
                        .timer()
                        .count())
                .isOne();
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
    void zooKeeper_down_endsTheStart() {
        runner.withPropertyValues("holdfast.store=zookeeper", "holdfast.zookeeper.connect=localhost:1")
                .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                .getDescription())
                        .contains("Holdfast cannot use the store of its locks"));
    }

    @Test
    @Tag("full")
    void postgres_isSeen() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            runner.withPropertyValues(
                            "holdfast.store=jdbc",
                            "holdfast.jdbc.create-tables=true",
                            "spring.datasource.url=" + server.url())
                    .run(context -> lockIsSeen(context, "DataSource dataSource"));
        }
    }

    @Test
    void tables_missing_endTheStart() {
        runner.withPropertyValues("holdfast.store=jdbc")
                .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                .getDescription())
                        .containsIgnoringCase("holdfast_lock"));
    }
}
