package io.holdfast.spring.boot;

import io.holdfast.spring.boot3.HealthOfBoot3AutoConfiguration;
import io.holdfast.spring.boot3.RedisOfBoot3AutoConfiguration;
import java.util.Map;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
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
                HealthOfBoot3AutoConfiguration.class,
                HoldfastMetricsAutoConfiguration.class,
                HoldfastObservationAutoConfiguration.class,
                RedisOfBoot3AutoConfiguration.class);
    }

    static AutoConfigurations dataSource() {
        return AutoConfigurations.of(DataSourceAutoConfiguration.class);
    }

    static AutoConfigurations redis() {
        return AutoConfigurations.of(RedisAutoConfiguration.class, SslAutoConfiguration.class);
    }

    static Seen health(ApplicationContext context) {
        Health health = context.getBean("holdfastHealthIndicator", HealthIndicator.class)
                .getHealth(true);
        return new Seen(health.getStatus().getCode(), health.getDetails());
    }
}
