package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Locks in this process alone; on a store of the application if it has one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MemoryLocks.class)
class MemoryStoreConfiguration {

    @Bean
    CandidateStore holdfastMemoryStore(ObjectProvider<MemoryStore> stores) {
        return new Memory(stores);
    }

    private record Memory(ObjectProvider<MemoryStore> stores) implements CandidateStore {

        @Override
        public Store store() {
            return Store.MEMORY;
        }

        @Override
        public Optional<String> where() {
            return Optional.of("memory of this process");
        }

        @Override
        public String howToConfigure() {
            return "Set holdfast.store=memory.";
        }

        @Override
        public LockClient open(LockOptions defaults) {
            return MemoryLocks.connect(stores.getIfAvailable(MemoryStore::new), defaults);
        }
    }
}
