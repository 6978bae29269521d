package io.holdfast.spring.boot.test;

import io.holdfast.LockClient;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.spring.boot.LockStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * The {@link HoldfastTester}, where a test asks for it with {@link AutoConfigureHoldfast}.
 *
 * @since 0.1
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
public final class HoldfastTestAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastTestAutoConfiguration() {}

    @Bean
    OpenLeases holdfastOpenLeases() {
        return new OpenLeases();
    }

    @Bean
    HoldfastTester holdfastTester(ObjectProvider<LockClient> client, ObjectProvider<LockStore> store, OpenLeases open) {
        return new HoldfastTester(client::getObject, store::getObject, open);
    }
}
