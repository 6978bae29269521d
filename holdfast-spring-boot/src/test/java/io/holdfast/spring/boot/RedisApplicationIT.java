package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.ClassUtils;

/** The Redis of the application, over connections of our own. */
@Tag("integration")
class RedisApplicationIT {
    private static final String PASSWORD = "open-sesame";
    private static RedisServer server;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Boot.redis())
            .withConfiguration(Boot.holdfast())
            .withPropertyValues("spring.application.name=the shop", "holdfast.redis.connect-timeout=500ms");

    private final ApplicationContextRunner connected = runner.withPropertyValues(
            "spring.data.redis.host=localhost",
            "spring.data.redis.port=" + server.port(),
            "spring.data.redis.password=" + PASSWORD);

    @BeforeAll
    static void start() {
        server = RedisServer.builder(RedisVersion.V7_0)
                .config("requirepass", PASSWORD)
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void connectionDetails_areUsed() {
        connected.run(context -> {
            LockClient locks = context.getBean(LockClient.class);
            try (Lease lease = locks.lock("order:1").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(Boot.health(context).status()).isEqualTo("UP");
                assertThat(Boot.health(context).details())
                        .containsEntry("server", "redis://localhost:" + server.port() + "/0")
                        .containsEntry("held", 1);
                assertThat(String.valueOf(server.command("CLIENT", "LIST"))).contains("name=the-shop");
            }
        });
    }

    @Test
    void connectionFactory_isTheSameWithAndWithoutUs() {
        connected.run(with -> connected
                .withClassLoader(new FilteredClassLoader("io.holdfast.redis"))
                .withPropertyValues("holdfast.enabled=false")
                .run(without -> {
                    assertThat(without).doesNotHaveBean(LockClient.class);
                    LettuceConnectionFactory one = with.getBean(LettuceConnectionFactory.class);
                    LettuceConnectionFactory other = without.getBean(LettuceConnectionFactory.class);
                    assertThat(one.getClass()).isEqualTo(other.getClass());
                    assertThat(one.getClientConfiguration().getClass())
                            .isEqualTo(other.getClientConfiguration().getClass());
                    assertThat(one.getClientConfiguration())
                            .as("no pool where the application has none")
                            .isNotInstanceOf(LettucePoolingClientConfiguration.class);
                    assertThat(ClassUtils.isPresent("org.apache.commons.pool2.ObjectPool", null))
                            .as("commons-pool2, which turns on the pool")
                            .isFalse();
                    assertThat(one.getShareNativeConnection()).isEqualTo(other.getShareNativeConnection());
                    assertThat(with.getBeanNamesForType(RedisConnectionFactory.class))
                            .isEqualTo(without.getBeanNamesForType(RedisConnectionFactory.class));
                    with.getBean(StringRedisTemplate.class).opsForValue().set("key", "value");
                }));
    }

    @Test
    void idle_twoConnectionsAndFourThreadsAreEnough() {
        connected.run(context -> {
            LockClient locks = context.getBean(LockClient.class);
            locks.lock("order:1").acquire().close();
            assertThat(String.valueOf(server.command("CLIENT", "LIST"))
                            .lines()
                            .filter(line -> line.contains("the-shop")))
                    .hasSizeLessThanOrEqualTo(2);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().contains(locks.id())))
                    .hasSizeLessThanOrEqualTo(4);
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void down_whenPossible_startsWithAWarning_andIsDownUntilItIsThere(CapturedOutput output) {
        try (RedisServer own = RedisServer.start(RedisVersion.V7_0)) {
            own.stop();
            runner.withPropertyValues("holdfast.redis.url=redis://localhost:" + own.port())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(output.getAll().lines())
                                .filteredOn(line -> line.contains("the application starts without it"))
                                .singleElement()
                                .asString()
                                .contains("WARN", "holdfast.start=when-possible", String.valueOf(own.port()));
                        assertThat(Boot.health(context).status()).isEqualTo("DOWN");
                        assertThat(String.valueOf(Boot.health(context).details().get("error")))
                                .contains(String.valueOf(own.port()));

                        own.restart();

                        Awaitility.await()
                                .untilAsserted(
                                        () -> assertThat(Boot.health(context).status())
                                                .isEqualTo("UP"));
                        context.getBean(LockClient.class)
                                .lock("order:1")
                                .acquire()
                                .close();
                    });
        }
    }

    @Test
    void down_now_endsTheStart() {
        runner.withPropertyValues("holdfast.redis.url=redis://localhost:1", "holdfast.start=now")
                .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                .getDescription())
                        .startsWith("Holdfast cannot use the store of its locks: ")
                        .contains("localhost:1"));
    }

    @Test
    void refusedLogin_endsTheStartAlsoWhenPossible() {
        runner.withPropertyValues("holdfast.redis.url=redis://:wrong@localhost:" + server.port())
                .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                .getDescription())
                        .contains("Holdfast cannot use the store of its locks")
                        .doesNotContain("wrong"));
    }

    @Test
    void unfitServer_endsTheStart() {
        try (RedisServer own = RedisServer.builder(RedisVersion.V7_0)
                .config("maxmemory", "100mb")
                .config("maxmemory-policy", "allkeys-lru")
                .start()) {
            runner.withPropertyValues("holdfast.redis.url=redis://localhost:" + own.port())
                    .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                    .getDescription())
                            .contains("maxmemory-policy"));
            runner.withPropertyValues(
                            "holdfast.redis.url=redis://localhost:" + own.port(), "holdfast.redis.accept-eviction=true")
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }
}
