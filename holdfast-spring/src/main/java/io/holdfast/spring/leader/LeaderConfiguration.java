package io.holdfast.spring.leader;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The beans behind {@link EnableLeaders}. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LeaderConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Elections holdfastElections(
            BeanFactory beans, ObjectProvider<Election> given, ApplicationEventPublisher events) {
        return new Elections(beans, given, events);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyPostProcessor holdfastLeaderOnly(Environment environment, ObjectProvider<Elections> elections) {
        return new LeaderOnlyPostProcessor(environment::resolveRequiredPlaceholders, elections::getObject);
    }
}
