package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.micrometer.LockObservationConvention;
import io.holdfast.spring.LockedObserver;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * The observation {@code holdfast.locked} of each locked call, if there is a registry. A bean of type
 * {@link LockObservationConvention} changes how it is named and tagged.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass({ObservationRegistry.class, LockObservationConvention.class})
@ConditionalOnBean({ObservationRegistry.class, LockClient.class})
@ConditionalOnBooleanProperty(name = "holdfast.observations.enabled", matchIfMissing = true)
public final class HoldfastObservationAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastObservationAutoConfiguration() {}

    @Bean
    LockedObserver holdfastLockedObserver(
            ObservationRegistry registry,
            ObjectProvider<LockObservationConvention> convention,
            HoldfastProperties properties) {
        return new ObservedLocks(
                registry, convention.getIfAvailable(), properties.metrics().maxGroups());
    }
}
