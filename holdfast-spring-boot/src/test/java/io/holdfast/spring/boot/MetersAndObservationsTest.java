package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spring.LockOperations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

class MetersAndObservationsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Boot.holdfast())
            .withPropertyValues("holdfast.store=memory")
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withBean(TestObservationRegistry.class, TestObservationRegistry::create);

    @Test
    void lock_isMeasuredByItsGroup() {
        runner.run(context -> {
            context.getBean(LockOperations.class).run("order:42", () -> {});
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("holdfast.lock.acquire")
                            .tags("lock", "order", "outcome", "acquired")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.getMeters()).allMatch(each -> each.getId().getTag("client") == null);
        });
    }

    @Test
    void metrics_disabled_areNotThere() {
        runner.withPropertyValues("holdfast.metrics.enabled=false").run(context -> {
            context.getBean(LockOperations.class).run("order:42", () -> {});
            assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
        });
    }

    @Test
    void twoClients_haveATagOfTheirOwn() {
        runner.withUserConfiguration(TwoClients.class).run(context -> {
            context.getBean("one", LockClient.class).lock("order:1").acquire().close();
            context.getBean("two", LockClient.class).lock("order:1").acquire().close();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            for (String client : new String[] {"one", "two"}) {
                assertThat(registry.get("holdfast.lock.acquire")
                                .tags("client", client)
                                .timer()
                                .count())
                        .as(client)
                        .isOne();
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoClients {
        private final MemoryStore store = new MemoryStore();

        @Bean
        @Primary
        LockClient one() {
            return MemoryLocks.connect(store);
        }

        @Bean
        LockClient two() {
            return MemoryLocks.connect(store);
        }
    }

    @Test
    void call_isObserved() {
        runner.run(context -> {
            context.getBean(LockOperations.class).run("order:42", () -> {});
            TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                    .hasObservationWithNameEqualTo("holdfast.locked")
                    .that()
                    .hasLowCardinalityKeyValue("lock.group", "order")
                    .hasLowCardinalityKeyValue("lock.kind", "lock")
                    .hasLowCardinalityKeyValue("lock.outcome", "acquired")
                    .hasHighCardinalityKeyValue("lock.name", "order:42")
                    .hasHighCardinalityKeyValueWithKey("lock.token")
                    .hasBeenStopped();
        });
    }

    @Test
    void observations_disabled_areNotMade() {
        runner.withPropertyValues("holdfast.observations.enabled=false").run(context -> {
            context.getBean(LockOperations.class).run("order:42", () -> {});
            TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                    .doesNotHaveAnyObservation();
        });
    }
}
