package io.holdfast.spring.boot;

import io.holdfast.spring.boot.RedisServers.Login;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.context.annotation.Bean;

/**
 * Where the Redis of the application is, as Boot 4 says it: from properties, Testcontainers or Docker Compose. Its
 * connections are not touched.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class, before = HoldfastAutoConfiguration.class)
@ConditionalOnClass(DataRedisConnectionDetails.class)
@ConditionalOnBean(DataRedisConnectionDetails.class)
public final class RedisDetailsAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public RedisDetailsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RedisServers holdfastRedisServers(DataRedisConnectionDetails details) {
        Login login = new Login(details.getUsername(), details.getPassword());
        DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return RedisServers.sentinel(nodes(sentinel.getNodes()), sentinel.getMaster(), sentinel.getDatabase())
                    .login(login, new Login(sentinel.getUsername(), sentinel.getPassword()))
                    .ssl(details.getSslBundle());
        }
        DataRedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return RedisServers.cluster(nodes(cluster.getNodes()))
                    .login(login, Login.NONE)
                    .ssl(details.getSslBundle());
        }
        DataRedisConnectionDetails.MasterReplica replicated = details.getMasterReplica();
        if (replicated != null) {
            return RedisServers.masterReplica(nodes(replicated.getNodes()));
        }
        DataRedisConnectionDetails.Standalone standalone = details.getStandalone();
        if (standalone == null) {
            return RedisServers.refused(
                    "://nowhere",
                    new HoldfastStartException(
                            "the connection details of Redis say neither a server nor Sentinels nor a cluster.",
                            "Set holdfast.redis.url=redis://host:port."));
        }
        return RedisServers.single(standalone.getHost(), standalone.getPort(), standalone.getDatabase())
                .login(login, Login.NONE)
                .ssl(details.getSslBundle());
    }

    private static List<String> nodes(List<Node> nodes) {
        return nodes.stream()
                .map(node -> RedisServers.node(node.host(), node.port()))
                .toList();
    }
}
