package io.holdfast.spring;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;

/** Publishes what happens to leases of the context's clients, if it is rare and bad. */
final class ContextEvents implements BeanPostProcessor, ApplicationEventPublisherAware {
    private @Nullable ApplicationEventPublisher publisher;

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher context) {
        this.publisher = context;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        ApplicationEventPublisher target = publisher;
        if (bean instanceof LockClient client && target != null) {
            LockListener listener = event -> publish(target, event);
            client.addListener(listener);
        }
        return bean;
    }

    private static void publish(ApplicationEventPublisher target, LockEvent event) {
        if (event instanceof LockEvent.Lost lost) {
            target.publishEvent(new LockLostEvent(lost.kind(), lost.name(), lost.token(), lost.reason()));
        } else if (event instanceof LockEvent.AtRisk risk) {
            target.publishEvent(new LockAtRiskEvent(risk.kind(), risk.name(), risk.token(), risk.remaining()));
        }
    }
}
