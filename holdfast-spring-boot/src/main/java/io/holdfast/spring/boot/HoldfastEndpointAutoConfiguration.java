package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * The endpoint {@code /actuator/locks}.
 *
 * @since 0.1
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
@ConditionalOnBean(LockClient.class)
@EnableConfigurationProperties(LocksEndpointProperties.class)
public final class HoldfastEndpointAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint locksEndpoint(
            ObjectProvider<LockClient> client, LocksEndpointProperties properties, ApplicationEventPublisher events) {
        return new LocksEndpoint(
                client::getObject, client::stream, properties.showValues(), properties.roles(), events);
    }
}
