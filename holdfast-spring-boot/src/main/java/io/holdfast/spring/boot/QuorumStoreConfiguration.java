package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.quorum.QuorumLocksBuilder;
import io.holdfast.spring.boot.HoldfastProperties.Quorum;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Locks on a majority of independent Redis servers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(QuorumLocks.class)
class QuorumStoreConfiguration {

    @Bean
    CandidateStore holdfastQuorumStore(
            HoldfastProperties properties, ObjectProvider<HoldfastClientCustomizer<QuorumLocksBuilder>> customizers) {
        return new QuorumStore(properties.quorum(), properties.redis().prefix(), customizers);
    }

    private record QuorumStore(
            Quorum quorum, String prefix, ObjectProvider<HoldfastClientCustomizer<QuorumLocksBuilder>> customizers)
            implements CandidateStore {

        @Override
        public Store store() {
            return Store.QUORUM;
        }

        @Override
        public Optional<String> where() {
            List<String> urls = quorum.urls();
            return urls.isEmpty()
                    ? Optional.empty()
                    : Optional.of(urls.stream().map(Urls::withoutLogin).collect(Collectors.joining(", ")));
        }

        @Override
        public String howToConfigure() {
            return "Set holdfast.quorum.urls=redis://a:6379,redis://b:6379,redis://c:6379.";
        }

        @Override
        public LockClient open(LockOptions defaults) {
            return builder().defaults(defaults).connect();
        }

        @Override
        public List<Finding> examine() {
            return builder().examine();
        }

        private QuorumLocksBuilder builder() {
            QuorumLocksBuilder builder = QuorumLocks.builder(quorum.urls());
            Duration timeout = quorum.nodeTimeout();
            if (timeout != null) {
                builder.nodeTimeout(timeout);
            }
            builder.eachNode(node -> node.prefix(prefix));
            customizers.orderedStream().forEach(each -> each.customize(builder));
            return builder;
        }
    }
}
