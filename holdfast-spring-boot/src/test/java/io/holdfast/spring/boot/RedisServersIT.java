package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.quorum.QuorumLocksBuilder;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.redis.TestCertificates;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** More than one plain Redis: with TLS, behind Sentinels, as a cluster, and a majority of several. */
@Tag("integration")
class RedisServersIT {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Boot.redis())
            .withConfiguration(Boot.holdfast())
            .withPropertyValues("holdfast.start=now", "holdfast.lease=1s", "holdfast.redis.longest-lease=1s");

    /** Generic types of beans that are lambdas are not known otherwise. */
    interface QuorumCustomizer extends HoldfastClientCustomizer<QuorumLocksBuilder> {}

    private static void locks(AssertableApplicationContext context, String where) {
        assertThat(context).hasNotFailed();
        try (Lease lease = context.getBean(LockClient.class).lock("order:1").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(Boot.health(context).status()).isEqualTo("UP");
            assertThat(Boot.health(context).details()).containsEntry("server", where);
        }
    }

    private static String nodes(List<RedisServer> servers) {
        return servers.stream().map(each -> "127.0.0.1:" + each.port()).collect(Collectors.joining(","));
    }

    @Test
    void sslBundle_ofTheApplicationOrOurs_encrypts() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                TestCertificates certificates = TestCertificates.create();
                FaultProxy proxy = FaultProxy.tls(certificates.serverContext(), server)) {
            ApplicationContextRunner trusting = runner.withPropertyValues(
                    "spring.ssl.bundle.jks.shop.truststore.location=file:" + certificates.trustStore(),
                    "spring.ssl.bundle.jks.shop.truststore.password=" + certificates.password(),
                    "spring.ssl.bundle.jks.shop.truststore.type=PKCS12");
            trusting.withPropertyValues(
                            "spring.data.redis.host=localhost",
                            "spring.data.redis.port=" + proxy.port(),
                            "spring.data.redis.ssl.bundle=shop")
                    .run(context -> locks(context, "rediss://localhost:" + proxy.port() + "/0"));
            String url = "rediss://localhost:" + proxy.port();
            trusting.withPropertyValues("holdfast.redis.url=" + url, "holdfast.redis.ssl.bundle=shop")
                    .run(context -> locks(context, url));
            runner.withPropertyValues("holdfast.redis.url=" + url)
                    .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                    .getDescription())
                            .as("a certificate that nobody vouches for")
                            .contains("localhost:" + proxy.port()));
        }
    }

    /** What is made of the details alone; nobody is asked. */
    @Test
    void details_becomeAnAddress() {
        ApplicationContextRunner alone = runner.withPropertyValues("holdfast.store=memory");
        alone.withPropertyValues(
                        "spring.data.redis.sentinel.master=shop",
                        "spring.data.redis.sentinel.nodes=a:1,[::1]:2",
                        "spring.data.redis.database=3",
                        "spring.data.redis.username=me",
                        "spring.data.redis.password=secret",
                        "spring.data.redis.sentinel.username=we",
                        "spring.data.redis.sentinel.password=hidden")
                .run(context -> {
                    RedisServers servers = context.getBean(RedisServers.class);
                    assertThat(servers).hasToString("redis-sentinel://a:1,[::1]:2/shop/3");
                    assertThat(servers.login()).isEqualTo(new RedisServers.Login("me", "secret"));
                    assertThat(servers.sentinelLogin()).isEqualTo(new RedisServers.Login("we", "hidden"));
                });
        alone.withPropertyValues("spring.data.redis.cluster.nodes=a:1,b:2", "spring.data.redis.password=secret")
                .run(context -> {
                    RedisServers servers = context.getBean(RedisServers.class);
                    assertThat(servers).hasToString("redis-cluster://a:1,b:2");
                    assertThat(servers.login()).isEqualTo(new RedisServers.Login(null, "secret"));
                });
    }

    @Test
    @Tag("full")
    void sentinels_areAsked() {
        try (RedisSentinels servers = RedisSentinels.start(RedisVersion.V7_0)) {
            String nodes = nodes(servers.sentinels());
            runner.withPropertyValues(
                            "spring.data.redis.sentinel.master=" + servers.masterName(),
                            "spring.data.redis.sentinel.nodes=" + nodes)
                    .run(context -> locks(context, "redis-sentinel://" + nodes + "/" + servers.masterName() + "/0"));
        }
    }

    @Test
    @Tag("full")
    void cluster_isUsed() {
        try (RedisCluster cluster = RedisCluster.start(RedisVersion.V7_0)) {
            String nodes = nodes(cluster.masters());
            runner.withPropertyValues("spring.data.redis.cluster.nodes=" + nodes)
                    .run(context -> locks(context, "redis-cluster://" + nodes));
        }
    }

    @Test
    void quorum_locksWithTwoOfThree() {
        try (RedisServer a = RedisServer.start(RedisVersion.V7_0);
                RedisServer b = RedisServer.start(RedisVersion.V7_0);
                RedisServer c = RedisServer.start(RedisVersion.V7_0)) {
            List<String> urls = List.of(a, b, c).stream()
                    .map(each -> "redis://localhost:" + each.port())
                    .toList();
            runner.withBean(QuorumCustomizer.class, () -> builder -> builder.startEmpty())
                    .withPropertyValues(
                            "holdfast.store=quorum",
                            "holdfast.quorum.urls=" + String.join(",", urls),
                            "holdfast.quorum.node-timeout=500ms")
                    .run(context -> {
                        locks(context, String.join(", ", urls));
                        c.stop();
                        locks(context, String.join(", ", urls));
                        b.stop();
                        Awaitility.await()
                                .untilAsserted(
                                        () -> assertThat(Boot.health(context).status())
                                                .isEqualTo("DOWN"));
                        assertThat(String.valueOf(Boot.health(context).details().get("error")))
                                .as("the doctor's sentence, which says what to do")
                                .contains("; ");
                    });
        }
    }
}
