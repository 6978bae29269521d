package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.LockListener;
import io.holdfast.micrometer.LockMeters;
import io.holdfast.micrometer.LockMetersBuilder;
import io.holdfast.spring.LockGroups;
import io.holdfast.spring.LockedObserver;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Meters of every client, if there is a registry. With two clients they have a tag {@code client}, the name of its
 * bean.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, LockMeters.class})
@ConditionalOnBean({MeterRegistry.class, LockClient.class})
@ConditionalOnBooleanProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
public final class HoldfastMetricsAutoConfiguration {

    /** Creates the configuration, for Spring. */
    public HoldfastMetricsAutoConfiguration() {}

    @Bean
    MetersOfClients holdfastMeters(
            ObjectProvider<MeterRegistry> registry, ObjectProvider<LockGroups> groups, HoldfastProperties properties) {
        return new MetersOfClients(registry, groups, properties.metrics().maxGroups());
    }

    @Bean
    LockedObserver holdfastCountedCalls(MetersOfClients meters, BeanFactory beans) {
        return new CountedCalls(call -> meters.of(
                call.client().isEmpty()
                        ? beans.getBean(LockClient.class)
                        : beans.getBean(call.client(), LockClient.class)));
    }

    /** One set of meters for each client. */
    static final class MetersOfClients implements ListenersOfClient {
        private final ObjectProvider<MeterRegistry> registry;
        private final ObjectProvider<LockGroups> groups;
        private final int maxGroups;
        private final Map<String, LockMeters> byClient = new ConcurrentHashMap<>();

        MetersOfClients(ObjectProvider<MeterRegistry> registry, ObjectProvider<LockGroups> groups, int maxGroups) {
            this.registry = registry;
            this.groups = groups;
            this.maxGroups = maxGroups;
        }

        @Override
        public List<LockListener> listeners(LockClient client, String bean, boolean alone) {
            LockMetersBuilder builder = LockMeters.builder(registry.getObject()).maxGroups(maxGroups);
            groups.ifAvailable(each -> builder.grouping(each::groupOf));
            LockMeters meters = (alone ? builder : builder.client(bean)).build();
            byClient.put(client.id(), meters);
            return List.of(meters);
        }

        @Nullable
        LockMeters of(LockClient client) {
            return byClient.get(client.id());
        }
    }
}
