package io.holdfast.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.driver.RedisAddress;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

class JedisSocketsTest {
    private static final Duration MUCH = Duration.ofSeconds(20);

    /** Rule: a connection is made within the caller's time, its TLS handshake included. */
    @Test
    @Timeout(60)
    @SuppressWarnings("deprecation") // a configuration may set TLS in the old way
    void createSocket_nobodyAnswersTheTlsHandshake_takesTheCallersTime() throws Exception {
        int millis = Math.toIntExact(MUCH.toMillis());
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            JedisSockets sockets = new JedisSockets(
                    new RedisAddress("127.0.0.1", silent.getLocalPort()),
                    DefaultJedisClientConfig.builder()
                            .ssl(true)
                            .socketTimeoutMillis(millis)
                            .connectionTimeoutMillis(millis)
                            .build(),
                    Duration.ofMillis(200),
                    SocketFactory.getDefault());
            long began = System.nanoTime();
            assertThatThrownBy(sockets::createSocket).isInstanceOf(JedisConnectionException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(MUCH.dividedBy(2));
        }
    }
}
