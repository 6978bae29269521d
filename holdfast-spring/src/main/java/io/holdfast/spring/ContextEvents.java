package io.holdfast.spring;

import io.holdfast.LockClient;
import io.holdfast.spring.event.LockEventPublisher;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;

/**
 * Publishes what happens to leases of the context's clients, if it is rare and bad. A client with other defaults is the
 * same client, and what happens to it is published once.
 */
final class ContextEvents implements BeanPostProcessor, ApplicationEventPublisherAware, AopInfrastructureBean {
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private @Nullable ApplicationEventPublisher publisher;

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher context) {
        this.publisher = context;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        ApplicationEventPublisher target = publisher;
        if (bean instanceof LockClient client && target != null && known.add(client.id())) {
            client.addListener(new LockEventPublisher(target));
        }
        return bean;
    }
}
