package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.fence.JdbcFence;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.JdbcLocksBuilder;
import io.holdfast.spring.boot.HoldfastProperties.Jdbc;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Locks in tables of the application's database, over connections of its pool. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JdbcLocks.class, DataSource.class})
class JdbcStoreConfiguration {

    @Bean
    CandidateStore holdfastJdbcStore(
            HoldfastProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<HoldfastClientCustomizer<JdbcLocksBuilder>> customizers) {
        return new JdbcStore(
                properties.jdbc(), environment.getProperty("spring.application.name", ""), beans, customizers);
    }

    private record JdbcStore(
            Jdbc jdbc,
            String name,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<HoldfastClientCustomizer<JdbcLocksBuilder>> customizers)
            implements CandidateStore {

        @Override
        public Store store() {
            return Store.JDBC;
        }

        @Override
        public Optional<String> where() {
            String[] names = beans.getBeanNamesForType(DataSource.class);
            if (names.length == 0) {
                return Optional.empty();
            }
            return Optional.of("DataSource " + (names.length == 1 ? names[0] : String.join(", ", names)));
        }

        @Override
        public String howToConfigure() {
            return "Configure a DataSource: spring.datasource.url=jdbc:…";
        }

        @Override
        public LockClient open(LockOptions defaults) {
            JdbcLocksBuilder builder = builder();
            if (jdbc.createTables()) {
                createFence();
            }
            return builder.defaults(defaults).connect();
        }

        /** For methods that are {@code fenced}, in the database that has the locks. */
        private void createFence() {
            try (Connection connection =
                    beans.getBean(beanName(), DataSource.class).getConnection()) {
                JdbcFence.create().createTable(connection);
            } catch (SQLException refused) {
                throw new LockStoreException(
                        "could not create the table of the fence: " + refused.getMessage()
                                + "; let somebody create it who may, and set holdfast.jdbc.create-tables=false",
                        refused);
            }
        }

        @Override
        public List<Finding> examine() {
            return builder().examine();
        }

        private JdbcLocksBuilder builder() {
            String bean = beanName();
            // Locks are given back over the pool, so the pool is closed after the client.
            beans.registerDependentBean(bean, ClosingClients.BEAN_NAME);
            JdbcLocksBuilder builder = JdbcLocks.builder(beans.getBean(bean, DataSource.class))
                    .table(jdbc.table())
                    .connections(jdbc.connections())
                    .safety(jdbc.safety())
                    .clientName(name);
            if (jdbc.createTables()) {
                builder.createTables();
            }
            customizers.orderedStream().forEach(each -> each.customize(builder));
            return builder;
        }

        private String beanName() {
            String[] names = beans.getBeanNamesForType(DataSource.class);
            String wanted = jdbc.dataSource();
            if (wanted != null) {
                if (!List.of(names).contains(wanted)) {
                    throw new HoldfastStartException(
                            "holdfast.jdbc.data-source is " + wanted + ", and there is no DataSource of that name.",
                            "Set it to one of: " + String.join(", ", names) + ".");
                }
                return wanted;
            }
            if (names.length == 1) {
                return names[0];
            }
            for (String each : names) {
                if (beans.containsBeanDefinition(each)
                        && beans.getBeanDefinition(each).isPrimary()) {
                    return each;
                }
            }
            throw new HoldfastStartException(
                    "there are " + names.length + " DataSources, and none is primary: " + String.join(", ", names)
                            + ".",
                    "Name the one that has the locks: holdfast.jdbc.data-source=" + names[0] + ".");
        }
    }
}
