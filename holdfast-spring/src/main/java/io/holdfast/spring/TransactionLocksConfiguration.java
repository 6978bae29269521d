package io.holdfast.spring;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Where {@code spring-tx} is there. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class TransactionLocksConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SpringTransactions holdfastTransactions() {
        return new SpringTransactions();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuards holdfastCommitGuards() {
        return new CommitGuards();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionsAround holdfastTransactionsAround(
            ObjectProvider<LockedMethods> methods, ObjectProvider<CallHandler> reactive) {
        return new TransactionsAround(methods, reactive);
    }

    /** Makes each transaction manager tell the guard. */
    static final class CommitGuards implements BeanPostProcessor, AopInfrastructureBean {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof ConfigurableTransactionManager manager) {
                manager.addListener(new CommitGuard());
            }
            return bean;
        }
    }
}
