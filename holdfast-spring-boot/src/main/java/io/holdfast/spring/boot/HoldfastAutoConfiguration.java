package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.LockedSettings;
import io.holdfast.spring.leader.EnableLeaders;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * A {@link LockClient} on the store that the application has, and everything of {@code holdfast-spring}.
 *
 * <p>The client is closed after all other beans, so that work under a lock that an executor waits for keeps its lock.
 * With locks in the database it is closed before the {@code DataSource} at the latest.
 *
 * <p>{@link io.holdfast.LockListener} beans are told of every client. They are made before it, so they must not want it
 * injected; an {@code ObjectProvider} of it will do.
 *
 * @since 0.1
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration"
        })
@ConditionalOnClass(LockClient.class)
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
@ImportRuntimeHints(HoldfastRuntimeHints.class)
public final class HoldfastAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastAutoConfiguration() {}

    @Bean(ClosingClients.BEAN_NAME)
    static ClosingClients holdfastClosingClients() {
        return new ClosingClients();
    }

    @Bean
    static ClientPostProcessor holdfastClientPostProcessor(ConfigurableListableBeanFactory beans) {
        return new ClientPostProcessor(beans);
    }

    /** Which client is meant must be known before the first call. */
    @Bean
    SmartInitializingSingleton holdfastOneClient(ObjectProvider<LockClient> client) {
        return client::getObject;
    }

    @Bean
    @ConditionalOnMissingBean
    LockedSettings holdfastLockedSettings(HoldfastProperties properties) {
        try {
            return properties.lockedSettings();
        } catch (IllegalArgumentException unusable) {
            throw new HoldfastStartException(
                    "a property of holdfast.locked.* cannot be used: " + unusable.getMessage(),
                    "Change the property; holdfast.locked.wait-for is a time such as 10s, or 0, or forever.");
        }
    }

    /** Everything of holdfast-spring: the advice, the operations, events. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableLeaders
    static class LocksConfiguration {}

    /** The client, if the application has none of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LockClient.class)
    @Import({
        RedisStoreConfiguration.class,
        QuorumStoreConfiguration.class,
        JdbcStoreConfiguration.class,
        ZooKeeperStoreConfiguration.class,
        MemoryStoreConfiguration.class
    })
    static class ClientConfiguration {

        @Bean
        LockStore holdfastLockStore(HoldfastProperties properties, ObjectProvider<CandidateStore> candidates) {
            return LockStore.open(
                    ChosenStore.among(candidates.orderedStream().toList(), properties.store()), properties);
        }

        @Bean(destroyMethod = "")
        LockClient lockClient(LockStore store) {
            return store.client();
        }
    }
}
