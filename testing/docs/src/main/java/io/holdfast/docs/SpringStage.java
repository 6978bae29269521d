package io.holdfast.docs;

import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.leader.EnableLeaders;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** What a Spring application of a page is made of, beside its own beans. */
@Configuration(proxyBeanMethods = false)
@EnableLocks
@EnableLeaders
@EnableTransactionManagement
class SpringStage {
    @Bean
    PlatformTransactionManager transactions(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    JdbcClient jdbc(DataSource dataSource) {
        return JdbcClient.create(dataSource);
    }
}
