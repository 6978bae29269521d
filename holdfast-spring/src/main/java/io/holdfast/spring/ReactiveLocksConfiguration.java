package io.holdfast.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Where Reactor is there. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class ReactiveLocksConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveCalls holdfastReactiveCalls(
            LocksContext context, ObjectProvider<ReactiveTransactions> transactions) {
        return new ReactiveCalls(context, transactions.getIfAvailable(NoReactiveTransactions::new));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveHandler holdfastReactiveHandler(ReactiveCalls calls, ObjectProvider<Transactions> transactions) {
        return new ReactiveHandler(calls, transactions.getIfAvailable(NoTransactions::new));
    }
}
