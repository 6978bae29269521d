package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fence.JdbcFence;
import io.holdfast.fence.StaleTokenException;
import java.sql.Connection;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A fence is entered on the connection of the transaction, whichever DataSource that is of. */
class TwoDataSourcesTest {

    /** The order of transactions is the default, that of the advice at the end of the chain. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Databases {
        private final DataSource unknown = database();

        private static DataSource database() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return source;
        }

        @Bean
        @Primary
        DataSource first() {
            return database();
        }

        @Bean
        DataSource second() {
            return new TransactionAwareDataSourceProxy(database());
        }

        @Bean
        @Primary
        DataSourceTransactionManager ofFirst(DataSource first) {
            return new DataSourceTransactionManager(first);
        }

        @Bean
        DataSourceTransactionManager ofSecond(@Qualifier("second") DataSource second) {
            return new DataSourceTransactionManager(second);
        }

        @Bean
        DataSourceTransactionManager ofUnknown() {
            return new DataSourceTransactionManager(unknown);
        }
    }

    static class Shop {
        @Locked(value = "a", fenced = true)
        @Transactional("ofFirst")
        public void inFirst(boolean fails) {
            failsIf(fails);
        }

        @Locked(value = "a", fenced = true)
        @Transactional("ofSecond")
        public void inSecond(boolean fails) {
            failsIf(fails);
        }

        @Locked(value = "a", fenced = true)
        @Transactional("ofUnknown")
        public void inUnknown() {
            throw new AssertionError("it was run");
        }

        private static void failsIf(boolean fails) {
            if (fails) {
                throw new IllegalArgumentException("no");
            }
        }

        @Locked("a")
        public void plain() {
            CurrentLocks.assertHeld();
        }
    }

    private final JdbcFence fence = JdbcFence.create();
    private TestLocks locks;
    private Shop shop;

    @BeforeEach
    void start() throws Exception {
        start(DoubleSale.Outside.class);
    }

    private void start(Class<?> settings) throws Exception {
        locks = new TestLocks(settings, Databases.class, Shop.class);
        shop = locks.bean(Shop.class);
        for (String name : new String[] {"first", "second"}) {
            try (Connection connection = source(name).getConnection()) {
                fence.createTable(connection);
            }
        }
    }

    @AfterEach
    void stop() {
        assertThat(locks.isFree("a")).isTrue();
        locks.close();
    }

    private DataSource source(String name) {
        return locks.context().getBean(name, DataSource.class);
    }

    private Optional<?> entered(String name) throws Exception {
        try (Connection connection = source(name).getConnection()) {
            return fence.current(connection, "a");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fence_isOfTheTransaction_whicheverItIs(boolean inside) throws Exception {
        locks.close();
        start(inside ? DoubleSale.Inside.class : DoubleSale.Outside.class);

        assertThatThrownBy(() -> shop.inSecond(true)).hasMessage("no");
        assertThat(entered("second")).as("it went with the transaction").isEmpty();
        shop.inSecond(false);
        assertThat(entered("second")).isPresent();
        assertThat(entered("first")).isEmpty();
        shop.inFirst(false);
        assertThat(entered("first")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fence_somebodyEnteredSince_refused(boolean inside) throws Exception {
        locks.close();
        start(inside ? DoubleSale.Inside.class : DoubleSale.Outside.class);
        try (Connection connection = source("second").getConnection()) {
            connection.setAutoCommit(false);
            fence.enter(connection, "a", Long.MAX_VALUE, "somebody");
            connection.commit();
        }
        assertThatThrownBy(() -> shop.inSecond(false)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void fence_transactionOfNoBean_refusedBeforeAnything() throws Exception {
        assertThatThrownBy(() -> shop.inUnknown())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("no DataSource bean", "@Transactional(\"…\")");
        assertThat(entered("first")).isEmpty();
    }

    /** Spring gives back the connection of a DataSource that only takes part when its transaction is suspended. */
    @Test
    void isolation_connectionWasGivenBack_isNotAsked() {
        TransactionTemplate outer = new TransactionTemplate(locks.bean(DataSourceTransactionManager.class));
        TransactionTemplate alone = new TransactionTemplate(locks.bean(DataSourceTransactionManager.class));
        alone.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        DataSource behind = ((TransactionAwareDataSourceProxy) source("second")).getTargetDataSource();
        outer.executeWithoutResult(status -> {
            new JdbcTemplate(behind).execute("SELECT 1");
            alone.executeWithoutResult(other -> {});
            shop.plain();
            assertThat(locks.isFree("a")).isFalse();
        });
    }
}
