package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.jdbc.JdbcLocksBuilder;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spring.Joining;
import io.holdfast.spring.LockGroups;
import io.holdfast.spring.LockOperations;
import io.holdfast.spring.LockedSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

class HoldfastAutoConfigurationTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(Boot.holdfast());
    private final ApplicationContextRunner memory = runner.withPropertyValues("holdfast.store=memory");
    private final ApplicationContextRunner database =
            runner.withConfiguration(Boot.dataSource()).withPropertyValues("holdfast.jdbc.create-tables=true");

    @Test
    void memory_isOneClientWithOperationsAndGroups() {
        memory.run(context -> {
            assertThat(context).hasSingleBean(LockClient.class);
            assertThat(context).hasSingleBean(LockGroups.class);
            context.getBean(LockOperations.class)
                    .run(
                            "order:42",
                            () -> assertThat(context.getBean(LockClient.class)
                                            .lock("order:42")
                                            .tryAcquire())
                                    .isEmpty());
        });
    }

    /** An exception that Spring swallows, because beans need each other, takes longer than the bean. */
    @Test
    void start_noBeanIsTriedInVain() {
        BufferingApplicationStartup startup = new BufferingApplicationStartup(10_000);
        memory.withInitializer(context -> context.setApplicationStartup(startup))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(startup.getBufferedTimeline().getEvents())
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getStartupStep().getTags())
                        .noneMatch(tag -> tag.getKey().equals("exception")));
    }

    @Test
    void disabled_isNothing() {
        memory.withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockClient.class));
    }

    @Test
    void clientOfTheApplication_isLeftAlone() {
        LockClient own = MemoryLocks.create();
        runner.withBean("mine", LockClient.class, () -> own).run(context -> {
            assertThat(context.getBean(LockClient.class)).isSameAs(own);
            assertThat(Boot.health(context).status()).isEqualTo("UP");
        });
    }

    @Test
    void properties_becomeOptions() {
        memory.withPropertyValues(
                        "holdfast.lease=20s",
                        "holdfast.max-hold=5m",
                        "holdfast.fairness=fifo",
                        "holdfast.locked.wait-for=forever",
                        "holdfast.locked.joining=refuse",
                        "holdfast.locked.self-calls=fail",
                        "holdfast.locked.order=7")
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).defaults())
                            .isEqualTo(LockOptions.defaults()
                                    .lease(Duration.ofSeconds(20))
                                    .maxHold(Duration.ofMinutes(5))
                                    .fairness(Fairness.FIFO));
                    LockedSettings settings = context.getBean(LockedSettings.class);
                    assertThat(settings.waitFor()).isEmpty();
                    assertThat(settings.joining()).isEqualTo(Joining.REFUSE);
                    assertThat(settings.selfCalls()).isEqualTo(LockedSettings.SelfCalls.FAIL);
                    assertThat(settings.order()).isEqualTo(7);
                });
    }

    @Test
    void settings_withoutProperties_areTheUsualOnes() {
        memory.run(context -> {
            LockedSettings settings = context.getBean(LockedSettings.class);
            assertThat(settings.order()).isEqualTo(LockedSettings.DEFAULT_ORDER);
            assertThat(settings.waitFor()).contains(Duration.ofSeconds(10));
        });
    }

    @Test
    void noModule_endsTheStartWithWhatToAdd() {
        runner.withClassLoader(new FilteredClassLoader(
                        "io.holdfast.redis",
                        "io.holdfast.quorum",
                        "io.holdfast.jdbc",
                        "io.holdfast.zookeeper",
                        "io.holdfast.memory"))
                .run(context -> assertThat(start(context.getStartupFailure()))
                        .hasMessage("Holdfast has no store to keep its locks in.")
                        .extracting(HoldfastStartException::action)
                        .asString()
                        .contains("io.holdfast:holdfast-redis", "holdfast.store=memory"));
    }

    @Test
    void modulesWithoutAConnection_endTheStartWithWhatToWrite() {
        runner.run(context -> assertThat(start(context.getStartupFailure()).action())
                .contains("holdfast.redis.url=redis://host:port")
                .contains("holdfast.zookeeper.connect=")
                .contains("spring.datasource.url=")
                .contains("holdfast.quorum.urls="));
    }

    @Test
    void twoStores_endTheStartAndAreNamed() {
        database.withPropertyValues("holdfast.redis.url=redis://user:secret@localhost:1")
                .run(context -> {
                    HoldfastStartException failure = start(context.getStartupFailure());
                    assertThat(failure)
                            .hasMessageContaining("redis (redis://localhost:1) and jdbc (DataSource dataSource)");
                    assertThat(failure.getMessage()).doesNotContain("secret");
                    assertThat(failure.action()).contains("holdfast.store=redis or holdfast.store=jdbc");
                });
    }

    @Test
    void namedStore_withoutItsModule_endsTheStart() {
        runner.withClassLoader(new FilteredClassLoader("io.holdfast.zookeeper"))
                .withPropertyValues("holdfast.store=zookeeper")
                .run(context -> assertThat(start(context.getStartupFailure()).action())
                        .isEqualTo("Add the dependency io.holdfast:holdfast-zookeeper."));
    }

    @Test
    void namedStore_withoutItsConnection_endsTheStart() {
        runner.withPropertyValues("holdfast.store=zookeeper")
                .run(context -> assertThat(start(context.getStartupFailure()).action())
                        .contains("holdfast.zookeeper.connect="));
    }

    @Test
    void lease_outOfRange_endsTheStart() {
        memory.withPropertyValues("holdfast.lease=1ms")
                .run(context -> assertThat(start(context.getStartupFailure()))
                        .hasMessageContaining("lease is 1ms, expected 100ms to 24h"));
    }

    @Test
    void waitFor_unreadable_endsTheStart() {
        memory.withPropertyValues("holdfast.locked.wait-for=10x").run(context -> {
            HoldfastStartException failure = start(context.getStartupFailure());
            assertThat(failure).hasMessageContainingAll("holdfast.locked", "'10x'");
            assertThat(failure.action()).contains("holdfast.locked.wait-for");
        });
    }

    @Test
    void dataSource_hasTheLocks() {
        AtomicInteger customized = new AtomicInteger();
        database.withBean("customizer", JdbcCustomizer.class, () -> builder -> {
                    builder.clientName("customized");
                    customized.incrementAndGet();
                })
                .run(context -> {
                    assertThat(customized).hasValue(1);
                    try (Lease lease =
                            context.getBean(LockClient.class).lock("order:1").acquire()) {
                        assertThat(lease.isValid()).isTrue();
                        assertThat(Boot.health(context).details())
                                .containsEntry("server", "DataSource dataSource")
                                .containsEntry("held", 1);
                    }
                });
    }

    /** Generic types of beans that are lambdas are not known otherwise. */
    interface JdbcCustomizer extends HoldfastClientCustomizer<JdbcLocksBuilder> {}

    @Test
    void severalDataSources_oneMustBeNamed() {
        ApplicationContextRunner two = runner.withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("holdfast.jdbc.create-tables=true");
        two.run(context -> assertThat(start(context.getStartupFailure()))
                .hasMessageContaining("there are 2 DataSources, and none is primary: first, second"));
        two.withPropertyValues("holdfast.jdbc.data-source=second")
                .run(context -> assertThat(context).hasSingleBean(LockClient.class));
        two.withPropertyValues("holdfast.jdbc.data-source=third")
                .run(context -> assertThat(start(context.getStartupFailure()).action())
                        .isEqualTo("Set it to one of: first, second."));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource first() {
            return h2("first");
        }

        @Bean
        DataSource second() {
            return h2("second");
        }

        private static DataSource h2(String name) {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
            return database;
        }
    }

    @Test
    void listenersOfTheContext_areTold() {
        List<LockEvent> events = new CopyOnWriteArrayList<>();
        memory.withBean(LockListener.class, () -> events::add).run(context -> {
            context.getBean(LockClient.class).lock("order:1").acquire().close();
            assertThat(events).hasAtLeastOneElementOfType(LockEvent.Acquired.class);
        });
    }

    @Test
    void clientWithOtherDefaults_isNotListenedToTwice() {
        List<LockEvent> events = new CopyOnWriteArrayList<>();
        runner.withBean(LockListener.class, () -> events::add)
                .withUserConfiguration(OneClientTwice.class)
                .run(context -> {
                    context.getBean("quick", LockClient.class)
                            .lock("order:1")
                            .acquire()
                            .close();
                    assertThat(events.stream().filter(LockEvent.Acquired.class::isInstance))
                            .hasSize(1);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OneClientTwice {

        @Bean
        @Primary
        LockClient usual() {
            return MemoryLocks.create();
        }

        @Bean
        LockClient quick(LockClient usual) {
            return usual.withDefaults(LockOptions.defaults().lease(Duration.ofSeconds(1)));
        }
    }

    @Test
    void twoClients_withoutAPrimary_endTheStart() {
        MemoryStore store = new MemoryStore();
        runner.withBean("one", LockClient.class, () -> MemoryLocks.connect(store))
                .withBean("two", LockClient.class, () -> MemoryLocks.connect(store))
                .run(context ->
                        assertThat(context.getStartupFailure()).isInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    private static HoldfastStartException start(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof HoldfastStartException)) {
            cause = cause.getCause();
        }
        assertThat(cause).as("%s", failure).isNotNull();
        return (HoldfastStartException) cause;
    }
}
