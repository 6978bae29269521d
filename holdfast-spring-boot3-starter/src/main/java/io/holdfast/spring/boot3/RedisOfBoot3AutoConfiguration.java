package io.holdfast.spring.boot3;

import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.spring.boot.RedisServers;
import io.holdfast.spring.boot.RedisServers.Login;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Node;
import org.springframework.context.annotation.Bean;

/**
 * Where the Redis of the application is, as Boot 3.5 says it: from properties, Testcontainers or Docker Compose. Its
 * connections are not touched.
 *
 * @since 0.1
 */
@AutoConfiguration(after = RedisAutoConfiguration.class, before = HoldfastAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionDetails.class)
@ConditionalOnBean(RedisConnectionDetails.class)
public final class RedisOfBoot3AutoConfiguration {

    /** Creates the configuration, for Spring. */
    public RedisOfBoot3AutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RedisServers holdfastRedisServers(RedisConnectionDetails details) {
        Login login = new Login(details.getUsername(), details.getPassword());
        RedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return RedisServers.sentinel(nodes(sentinel.getNodes()), sentinel.getMaster(), sentinel.getDatabase())
                    .login(login, new Login(sentinel.getUsername(), sentinel.getPassword()))
                    .ssl(sentinel.getSslBundle());
        }
        RedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return RedisServers.cluster(nodes(cluster.getNodes()))
                    .login(login, Login.NONE)
                    .ssl(cluster.getSslBundle());
        }
        RedisConnectionDetails.Standalone standalone = details.getStandalone();
        return RedisServers.single(standalone.getHost(), standalone.getPort(), standalone.getDatabase())
                .login(login, Login.NONE)
                .ssl(standalone.getSslBundle());
    }

    private static List<String> nodes(List<Node> nodes) {
        return nodes.stream()
                .map(node -> RedisServers.node(node.host(), node.port()))
                .toList();
    }
}
