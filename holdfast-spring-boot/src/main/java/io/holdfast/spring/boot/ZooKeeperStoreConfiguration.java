package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import io.holdfast.spring.boot.HoldfastProperties.Zookeeper;
import io.holdfast.zookeeper.ZooKeeperLocks;
import io.holdfast.zookeeper.ZooKeeperLocksBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Locks on ZooKeeper. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ZooKeeperLocks.class)
class ZooKeeperStoreConfiguration {

    @Bean
    CandidateStore holdfastZooKeeperStore(
            HoldfastProperties properties,
            Environment environment,
            ObjectProvider<HoldfastClientCustomizer<ZooKeeperLocksBuilder>> customizers) {
        return new ZooKeeperStore(
                properties.zookeeper(), environment.getProperty("spring.application.name", ""), customizers);
    }

    private record ZooKeeperStore(
            Zookeeper zookeeper,
            String name,
            ObjectProvider<HoldfastClientCustomizer<ZooKeeperLocksBuilder>> customizers)
            implements CandidateStore {

        @Override
        public Store store() {
            return Store.ZOOKEEPER;
        }

        @Override
        public Optional<String> where() {
            return Optional.ofNullable(zookeeper.connect());
        }

        @Override
        public String howToConfigure() {
            return "Set holdfast.zookeeper.connect=a:2181,b:2181,c:2181.";
        }

        @Override
        public LockClient open(LockOptions defaults) {
            return builder().defaults(defaults).connect();
        }

        @Override
        public List<Finding> examine() {
            return builder().examine();
        }

        private ZooKeeperLocksBuilder builder() {
            ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder(Objects.requireNonNull(zookeeper.connect()))
                    .root(zookeeper.root())
                    .session(zookeeper.session())
                    .clientName(name);
            customizers.orderedStream().forEach(each -> each.customize(builder));
            return builder;
        }
    }
}
