package io.holdfast.spring.boot3;

import io.holdfast.LockClient;
import io.holdfast.spring.boot.HoldfastStateAutoConfiguration;
import io.holdfast.spring.boot.StoreHealth;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Health {@code holdfast}, as Boot 3.5 wants it.
 *
 * @since 0.1
 */
@AutoConfiguration(after = HoldfastStateAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({LockClient.class, StoreHealth.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
public final class HealthOfBoot3AutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HealthOfBoot3AutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"holdfastHealthIndicator", "holdfastHealthContributor"})
    HealthIndicator holdfastHealthIndicator(StoreHealth store) {
        return new AbstractHealthIndicator() {
            @Override
            protected void doHealthCheck(Health.Builder builder) {
                StoreHealth.Result seen = store.look();
                switch (seen.state()) {
                    case UP -> builder.up();
                    case DOWN -> builder.down();
                    case OUT_OF_SERVICE -> builder.outOfService();
                }
                builder.withDetails(seen.details());
            }
        };
    }
}
