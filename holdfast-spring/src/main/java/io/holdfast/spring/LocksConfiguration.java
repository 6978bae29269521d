package io.holdfast.spring;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** The beans behind {@link EnableLocks}. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LocksConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TemplateGroups holdfastTemplates() {
        return new TemplateGroups();
    }

    @Bean
    @Conditional(MissingBean.class)
    LockGroups lockGroups(TemplateGroups templates) {
        return templates::groupOf;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LocksContext holdfastLocksContext(BeanFactory beans) {
        return new LocksContext(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BlockingCalls holdfastBlockingCalls(LocksContext context) {
        return new BlockingCalls(context, new NoTransactions());
    }

    @Bean
    @Conditional(MissingBean.class)
    LockOperations lockOperations(BlockingCalls calls) {
        return new LockOperations(calls, LockRules.USUAL);
    }
}
