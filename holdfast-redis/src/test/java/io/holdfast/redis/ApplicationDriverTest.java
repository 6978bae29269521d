package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.RedisVersion;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;

/** A driver with a configuration of the application. */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class ApplicationDriverTest extends OnEachVersion {
    @Test
    void connect_withTheApplicationsConfiguration_asksAndSubscribesWithIt() {
        server.command("ACL", "SETUSER", "app", "reset", "on", ">s3cret", "~*", "allchannels", "+@all");
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .user("app")
                .password("s3cret")
                .clientName("of-the-application")
                .build();
        try (LockClient client =
                bench.builder(server.uri()).driver(JedisDriver.create(config)).connect()) {
            Lease lease = bench.client(server.uri()).lock("a").acquire();
            CompletableFuture<Lease> next = client.lock("a").acquireAsync();
            bench.awaitListening(server, "a", 1);
            lease.close();
            Bench.get(next, Bench.AT_ONCE).close();
            assertThat(String.valueOf(server.command("CLIENT", "LIST"))
                            .lines()
                            .filter(line -> line.contains(" name=of-the-application ") && line.contains(" user=app ")))
                    .as("one that asks and one that listens")
                    .hasSize(2);
        }
    }
}
