package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Details that a bean has, as Testcontainers and Docker Compose make it, win over properties. */
class ConnectionDetailsTest {

    private static final class Elsewhere implements DataRedisConnectionDetails {
        @Override
        public Standalone getStandalone() {
            return Standalone.of("localhost", 1, 3);
        }
    }

    @Test
    void bean_saysWhereTheServerIs() {
        new ApplicationContextRunner()
                .withConfiguration(Boot.redis())
                .withConfiguration(Boot.holdfast())
                .withBean(DataRedisConnectionDetails.class, Elsewhere::new)
                .withPropertyValues("spring.data.redis.port=2", "holdfast.redis.connect-timeout=250ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(Boot.health(context).details()).containsEntry("server", "redis://localhost:1/3");
                });
    }
}
