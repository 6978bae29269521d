package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.LockListener;
import java.util.HashSet;
import java.util.Set;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Gives every client of the context its listeners, before anybody has it, and sees to it that it is closed last. A
 * client with other defaults is the same client, and gets nothing a second time.
 */
final class ClientPostProcessor implements BeanPostProcessor, AopInfrastructureBean {
    private final ConfigurableListableBeanFactory beans;
    private final Set<String> known = new HashSet<>();

    ClientPostProcessor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof LockClient client && known.add(client.id())) {
            beans.getBeanProvider(LockListener.class).orderedStream().forEach(client::addListener);
            boolean alone = beans.getBeanNamesForType(LockClient.class, true, false).length == 1;
            beans.getBeanProvider(ListenersOfClient.class)
                    .orderedStream()
                    .flatMap(each -> each.listeners(client, name, alone).stream())
                    .forEach(client::addListener);
            if (beans.isSingleton(name)) {
                beans.getBean(ClosingClients.class).closeLast(client);
            }
        }
        return bean;
    }
}
