package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Closes the clients of the context, after everything that may work under a lock.
 *
 * <p>Spring destroys what was made last first. As an ordinary bean, a client is made when the first bean wants it, and
 * is closed before executors that were made earlier and wait for their tasks: such a task would lose its lock. This one
 * changes bean definitions, for which Spring makes it before all ordinary beans, so it is destroyed after them. For
 * that it takes the destroy method of every client away.
 */
final class ClosingClients implements BeanFactoryPostProcessor, PriorityOrdered, DisposableBean {
    static final String BEAN_NAME = "holdfastClosingClients";

    /** Under no lock: Spring makes singletons in one thread, and destroys them in one. */
    private final Deque<LockClient> clients = new ArrayDeque<>();

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(LockClient.class, true, false)) {
            if (beans.containsBeanDefinition(name)) {
                BeanDefinition definition = beans.getBeanDefinition(name);
                if (definition instanceof AbstractBeanDefinition changeable && definition.isSingleton()) {
                    changeable.setDestroyMethodName("");
                }
            }
        }
    }

    void closeLast(LockClient client) {
        clients.push(client);
    }

    @Override
    public void destroy() {
        while (!clients.isEmpty()) {
            clients.pop().close();
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
