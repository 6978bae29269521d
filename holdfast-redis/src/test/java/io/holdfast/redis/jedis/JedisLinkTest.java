package io.holdfast.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("integration")
@Timeout(60)
class JedisLinkTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A request to it would have an end that nobody knows. */
    @Test
    void open_whoAcceptsIsSilent_nothingWasAskedFor() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                FaultProxy proxy = FaultProxy.to(server);
                RedisDriver driver = new JedisProvider()
                        .create(new RedisAccess(
                                null, 0, null, SECOND, false, new RedisAccess.Tls(null, null, null), null))) {
            RedisAddress address = new RedisAddress(proxy.host(), proxy.port());
            proxy.cutReplies();

            RedisLinkException silent =
                    catchThrowableOfType(RedisLinkException.class, () -> driver.open(address, Duration.ofMillis(100)));

            assertThat(silent.isUnsent()).isTrue();
            assertThat(silent.isTimeout()).isTrue();
            proxy.heal();
            try (RedisConnection connection = driver.open(address, SECOND)) {
                assertThat(connection.isUsable()).isTrue();
            }
        }
    }
}
