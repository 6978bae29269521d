package io.holdfast.spring;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** Where {@code holdfast-fence} and {@code spring-jdbc} are there. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class FenceConfiguration {

    @Bean
    @Lazy
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionFence holdfastTransactionFence(BeanFactory beans) {
        return new TransactionFence(beans);
    }
}
