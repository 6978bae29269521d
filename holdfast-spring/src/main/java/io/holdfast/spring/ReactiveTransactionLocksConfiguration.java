package io.holdfast.spring;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Where {@code spring-tx} and Reactor are there. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class ReactiveTransactionLocksConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SpringReactiveTransactions holdfastReactiveTransactions(BeanFactory beans) {
        return new SpringReactiveTransactions(beans);
    }
}
