package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStatus;
import io.holdfast.LockStoreException;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each property of a store has its effect: on what is stored, or by what it refuses. */
@Tag("integration")
class PropertiesIT {
    private static RedisServer server;

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(Boot.holdfast());
    private final ApplicationContextRunner redis =
            runner.withPropertyValues("holdfast.store=redis", "holdfast.redis.url=redis://localhost:" + server.port());
    private final ApplicationContextRunner jdbc = runner.withConfiguration(Boot.dataSource())
            .withPropertyValues("holdfast.store=jdbc", "holdfast.jdbc.create-tables=true");

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void refused(ApplicationContextRunner runner, String property, String... says) {
        runner.withPropertyValues(property).run(context -> {
            assertThat(context.getStartupFailure()).as(property).isNotNull();
            assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                            .getDescription())
                    .as(property)
                    .contains(says);
        });
    }

    private static Lease locked(org.springframework.context.ApplicationContext context) {
        return context.getBean(LockClient.class).lock("order:1").tryAcquire().orElseThrow();
    }

    @Test
    void redis_prefix_isThatOfAllKeys() {
        redis.withPropertyValues("holdfast.redis.prefix=shop").run(context -> {
            try (Lease lease =
                    context.getBean(LockClient.class).lock("prefixed").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(String.valueOf(server.command("KEYS", "*prefixed*")))
                        .contains("shop")
                        .doesNotContain("holdfast");
            }
        });
    }

    @Test
    void redis_numbersAndTimes_reachTheClient() {
        refused(redis, "holdfast.redis.connections=0", "connections is 0");
        refused(redis, "holdfast.redis.request-timeout=0", "requestTimeout is 0s");
        refused(redis, "spring.data.redis.timeout=0", "requestTimeout is 0s");
        refused(redis, "holdfast.redis.connect-timeout=0", "connectTimeout is 0s");
        refused(redis, "spring.data.redis.connect-timeout=0", "connectTimeout is 0s");
        refused(redis, "holdfast.redis.longest-lease=0", "longestLease is 0s");
        refused(
                redis.withPropertyValues("holdfast.redis.replicas=1"),
                "holdfast.redis.replicas-timeout=0",
                "timeout of replicas is 0s");
    }

    @Test
    void redis_replicas_areWaitedFor() {
        redis.withPropertyValues("holdfast.redis.replicas=1", "holdfast.redis.replicas-timeout=100ms")
                .run(context -> {
                    if (context.getStartupFailure() != null) {
                        assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                        .getDescription())
                                .contains("replica");
                    } else {
                        assertThatThrownBy(() -> locked(context)).isInstanceOf(LockStoreException.class);
                    }
                });
    }

    @Test
    void redis_strict_waitsOnAServerThatIsNew_andHealthSaysSo() {
        try (RedisServer fresh = RedisServer.start(RedisVersion.V7_0)) {
            runner.withPropertyValues(
                            "holdfast.store=redis",
                            "holdfast.redis.url=redis://localhost:" + fresh.port(),
                            "holdfast.redis.safety=strict")
                    .run(context -> {
                        assertThatThrownBy(() -> locked(context)).isInstanceOf(LockRefusedException.class);
                        Boot.Seen seen = Boot.health(context);
                        assertThat(seen.status()).isEqualTo("OUT_OF_SERVICE");
                        assertThat(seen.details()).containsKey("retryAfter");
                    });
        }
    }

    @Test
    void jdbc_table_isHowTheTablesBegin() {
        jdbc.withPropertyValues("holdfast.jdbc.table=shop").run(context -> {
            try (Lease lease = locked(context)) {
                assertThat(lease.isValid()).isTrue();
                assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                                .queryForList("SELECT table_name FROM information_schema.tables"
                                        + " WHERE LOWER(table_name) LIKE '%\\_lock' ESCAPE '\\'")
                                .toString())
                        .containsIgnoringCase("shop_lock")
                        .doesNotContainIgnoringCase("holdfast_lock");
            }
        });
    }

    @Test
    void jdbc_since_isShownByTheEndpoint() {
        jdbc.run(context -> {
            try (Lease lease = locked(context)) {
                assertThat(lease.isValid()).isTrue();
                LockStatus status = context.getBean(LockClient.class)
                        .inspector()
                        .find(LockKind.LOCK, "order:1")
                        .orElseThrow();
                assertThat(new LocksReport.Shown(Set.of(), true)
                                .lock(status)
                                .holders()
                                .get(0)
                                .since())
                        .isNotNull();
            }
        });
    }

    @Test
    void jdbc_connections_reachTheClient() {
        refused(jdbc, "holdfast.jdbc.connections=0", "connections is 0");
    }

    @Test
    void zooKeeper_root_isAboveEverything_andTheSessionIsBounded() {
        try (ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
            ApplicationContextRunner there = runner.withPropertyValues(
                    "holdfast.store=zookeeper", "holdfast.zookeeper.connect=" + zooKeeper.address());
            there.withPropertyValues("holdfast.zookeeper.root=/shop").run(context -> {
                try (Lease lease = locked(context)) {
                    assertThat(lease.isValid()).isTrue();
                    try (ZooKeeper client = new ZooKeeper(zooKeeper.address(), 10_000, event -> {})) {
                        assertThat(client.getChildren("/", false))
                                .contains("shop")
                                .doesNotContain("holdfast");
                    }
                }
            });
            refused(there, "holdfast.zookeeper.session=0", "session is 0s");
        }
    }
}
