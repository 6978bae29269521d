package io.holdfast.spring.boot;

import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationContext;

/** What this version of Spring Boot calls differently. */
final class Boot {
    private Boot() {}

    /** What is seen by those who ask for the health. */
    record Seen(String status, Map<String, Object> details) {}

    static AutoConfigurations holdfast() {
        return AutoConfigurations.of(
                HoldfastAutoConfiguration.class,
                HoldfastStateAutoConfiguration.class,
                HoldfastHealthAutoConfiguration.class,
                HoldfastMetricsAutoConfiguration.class,
                HoldfastObservationAutoConfiguration.class,
                RedisDetailsAutoConfiguration.class);
    }

    static AutoConfigurations dataSource() {
        return AutoConfigurations.of(DataSourceAutoConfiguration.class);
    }

    static AutoConfigurations redis() {
        return AutoConfigurations.of(DataRedisAutoConfiguration.class, SslAutoConfiguration.class);
    }

    static Seen health(ApplicationContext context) {
        Health health = context.getBean("holdfastHealthIndicator", HealthIndicator.class)
                .health(true);
        return new Seen(health.getStatus().getCode(), health.getDetails());
    }
}
