package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.spi.TimeSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * What health and info tell of the locks, if the application has the actuator.
 *
 * @since 0.1
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(LockClient.class)
public final class HoldfastStateAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastStateAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StoreHealth holdfastStoreHealth(ObjectProvider<LockClient> client, ObjectProvider<LockStore> store) {
        return new StoreHealth(
                client::getObject,
                () -> {
                    LockStore open = store.getIfAvailable();
                    return open == null ? "that of a client of the application" : open.where();
                },
                () -> {
                    LockStore open = store.getIfAvailable();
                    return open == null ? List.of() : open.examine();
                },
                TimeSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnEnabledInfoContributor("holdfast")
    ElectionsInfo holdfastElectionsInfo() {
        return new ElectionsInfo();
    }
}
