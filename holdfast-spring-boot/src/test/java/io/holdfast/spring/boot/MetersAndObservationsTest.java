package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockStatus;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.micrometer.LockObservationConvention;
import io.holdfast.spring.CurrentLocks;
import io.holdfast.spring.LockOperations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
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
    void groups_ofObservations_areAsManyAsThoseOfMeters() {
        runner.withPropertyValues("holdfast.metrics.max-groups=2").run(context -> {
            List<String> groups = new CopyOnWriteArrayList<>();
            context.getBean(TestObservationRegistry.class).observationConfig().observationHandler(new Groups(groups));
            for (String name : List.of("a", "b", "c", "d", "a")) {
                context.getBean(LockOperations.class).run(name, () -> {});
            }
            assertThat(groups).containsExactly("a", "b", "other", "other", "a");
            assertThat(context.getBean(MeterRegistry.class)
                            .find("holdfast.lock.acquire")
                            .timers())
                    .extracting(timer -> timer.getId().getTag("lock"))
                    .containsOnly("a", "b", "other");
        });
    }

    /** Keeps the groups of observations that ended. */
    private record Groups(List<String> groups) implements ObservationHandler<Observation.Context> {
        @Override
        public void onStop(Observation.Context context) {
            groups.add(context.getLowCardinalityKeyValue("lock.group").getValue());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void lostLock_isAnEventOfItsObservation() {
        List<String> events = new CopyOnWriteArrayList<>();
        runner.run(context -> {
            context.getBean(TestObservationRegistry.class).observationConfig().observationHandler(new Ear(events));
            LockClient locks = context.getBean(LockClient.class);
            assertThatThrownBy(() -> context.getBean(LockOperations.class).run("order:42", () -> {
                        LockStatus status = locks.inspector()
                                .find(LockKind.LOCK, "order:42")
                                .orElseThrow();
                        locks.inspector().breakClaim(status, status.holders().get(0));
                        Awaitility.await()
                                .until(() -> !CurrentLocks.lease("order:42").isValid());
                    }))
                    .isInstanceOf(LockLostException.class);
            TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                    .hasObservationWithNameEqualTo("holdfast.locked")
                    .that()
                    .hasLowCardinalityKeyValue("lock.outcome", "lost")
                    .hasError();
            assertThat(events).containsExactly("acquired", "lost");
        });
    }

    /** Keeps the names of events. */
    private record Ear(List<String> events) implements ObservationHandler<Observation.Context> {
        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            events.add(event.getName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    /** Calls it by another name. */
    static class OwnConvention implements LockObservationConvention {
        @Override
        public String getName() {
            return "shop.locked";
        }
    }

    @Test
    void convention_canBeReplaced() {
        runner.withBean(OwnConvention.class).run(context -> {
            context.getBean(LockOperations.class).run("order:42", () -> {});
            TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                    .hasObservationWithNameEqualTo("shop.locked");
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
