package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockStoreException;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.redis.TestCertificates;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** The same in the driver for Jedis, and the TLS settings of an application. */
@Tag("integration")
@Timeout(30)
class JedisHostNameTest {
    @AutoClose
    private static RedisServer server;

    @AutoClose
    private static TestCertificates certificates;

    @AutoClose
    private static FaultProxy impostor;

    @RegisterExtension
    final Bench bench = new Bench();

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
        certificates = TestCertificates.createFor("dns:elsewhere.example,ip:192.0.2.1");
        impostor = FaultProxy.tls(certificates.serverContext(), server);
    }

    @Test
    void connect_factoryOfTheApplication_certificateOfAnotherHostIsRefused() {
        RedisLocksBuilder builder = bench.builder("rediss://127.0.0.1:" + impostor.port())
                .tls(certificates.clientContext().getSocketFactory());
        assertThatThrownBy(builder::connect)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("subject alternative name");
    }

    /** Servers that Sentinels and clusters name, and subscriptions, use these two methods. */
    @Test
    void openAndSubscription_certificateOfAnotherHost_refused() {
        RedisAddress address = new RedisAddress("127.0.0.1", impostor.port());
        try (JedisDriver driver = JedisDriver.create(config())) {
            assertThatThrownBy(() -> driver.open(address, Duration.ofSeconds(10)))
                    .isInstanceOf(RedisLinkException.class)
                    .hasMessageContaining("subject alternative name");
            assertThatThrownBy(() -> driver.subscription(address, "channel", false))
                    .isInstanceOf(RedisLinkException.class)
                    .hasMessageContaining("subject alternative name");
        }
    }

    /** The application's TLS settings are kept, whichever way they are given. */
    @Test
    @SuppressWarnings("deprecation") // an application may still say it both ways
    void open_optionsWithParameters_areKept() {
        TestCertificates own = bench.open(TestCertificates.createFor("ip:127.0.0.1"));
        FaultProxy proxy = bench.open(FaultProxy.tls(own.serverContext(), server));
        SSLParameters old = new SSLParameters();
        old.setProtocols(new String[] {"TLSv1.2"});
        AtomicReference<String> spoken = new AtomicReference<>();
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .ssl(true)
                .sslOptions(SslOptions.builder()
                        .sslVerifyMode(SslVerifyMode.INSECURE)
                        .sslParameters(old)
                        .build())
                .hostnameVerifier((host, session) -> {
                    spoken.set(session.getProtocol());
                    return true;
                })
                .build();
        try (JedisDriver driver = JedisDriver.create(config)) {
            driver.open(new RedisAddress("127.0.0.1", proxy.port()), Duration.ofSeconds(10))
                    .close();
        }
        assertThat(spoken).hasValue("TLSv1.2");
    }

    @SuppressWarnings("deprecation") // the way that takes a factory
    private static DefaultJedisClientConfig config() {
        return DefaultJedisClientConfig.builder()
                .ssl(true)
                .sslSocketFactory(certificates.clientContext().getSocketFactory())
                .build();
    }
}
