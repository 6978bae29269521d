package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Health {@code holdfast}, as Boot 4 wants it.
 *
 * @since 0.1
 */
@AutoConfiguration(after = HoldfastStateAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({LockClient.class, StoreHealth.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
public final class HoldfastHealthAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastHealthAutoConfiguration() {}

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
