package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.spring.boot.HoldfastProperties.Redis;
import io.holdfast.spring.boot.HoldfastProperties.Start;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import io.holdfast.spring.boot.RedisServers.Login;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Locks on the Redis of the application, over connections of their own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisLocks.class)
class RedisStoreConfiguration {
    private static final Log LOGGER = LogFactory.getLog(LockStore.class);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    @Bean
    CandidateStore holdfastRedisStore(
            HoldfastProperties properties,
            Environment environment,
            ObjectProvider<RedisServers> servers,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<HoldfastClientCustomizer<RedisLocksBuilder>> customizers) {
        return new RedisStore(properties, Binder.get(environment), servers, bundles, customizers);
    }

    private record RedisStore(
            HoldfastProperties properties,
            Binder binder,
            ObjectProvider<RedisServers> servers,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<HoldfastClientCustomizer<RedisLocksBuilder>> customizers)
            implements CandidateStore {

        @Override
        public Store store() {
            return Store.REDIS;
        }

        @Override
        public Optional<String> where() {
            String url = properties.redis().url();
            return url != null
                    ? Optional.of(Urls.withoutLogin(url))
                    : Optional.ofNullable(servers.getIfAvailable()).map(RedisServers::toString);
        }

        @Override
        public String howToConfigure() {
            return "Set holdfast.redis.url=redis://host:port, or add spring-boot-starter-data-redis and its"
                    + " spring.data.redis.* properties.";
        }

        @Override
        public LockClient open(LockOptions defaults) {
            return builder(this::warn).defaults(defaults).connect();
        }

        @Override
        public List<Finding> examine() {
            return builder(down -> {}).examine(); // it says so itself
        }

        private void warn(LockStoreException down) {
            LOGGER.warn("The store of locks cannot be reached, and the application starts without it"
                    + " (holdfast.start=when-possible); locks are refused until it answers. "
                    + where().orElse("Redis") + ": " + down.getMessage());
        }

        private RedisLocksBuilder builder(Consumer<LockStoreException> whenDown) {
            Redis redis = properties.redis();
            RedisLocksBuilder builder = redis.url() != null ? RedisLocks.builder(redis.url()) : ofTheApplication();
            builder.prefix(redis.prefix())
                    .connections(redis.connections())
                    .longestLease(redis.longestLease())
                    .requestTimeout(time(redis.requestTimeout(), "spring.data.redis.timeout"))
                    .connectTimeout(time(redis.connectTimeout(), "spring.data.redis.connect-timeout"));
            String name = clientName();
            if (!name.isEmpty()) {
                builder.clientName(name);
            }
            if (redis.safety() != null) {
                builder.safety(redis.safety());
            }
            if (redis.replicas() != null) {
                builder.replicas(redis.replicas(), redis.replicasTimeout());
            }
            if (redis.acceptEviction()) {
                builder.acceptEviction();
            }
            String bundle = redis.ssl().bundle();
            if (bundle != null) {
                builder.tlsContext(() -> bundles.getObject().getBundle(bundle).createSslContext());
            }
            if (properties.start() == Start.WHEN_POSSIBLE) {
                builder.mayBeDown(whenDown);
            }
            customizers.orderedStream().forEach(each -> each.customize(builder));
            return builder;
        }

        private RedisLocksBuilder ofTheApplication() {
            RedisServers redis = servers.getObject();
            RedisLocksBuilder builder = RedisLocks.builder(redis.url());
            Login login = redis.login();
            if (login.password() != null) {
                builder.login(login.user(), login.password());
            }
            Login sentinels = redis.sentinelLogin();
            if (sentinels.password() != null) {
                builder.sentinelLogin(sentinels.user(), sentinels.password());
            }
            SslBundle ssl = redis.ssl();
            return ssl == null ? builder : builder.tlsContext(ssl::createSslContext);
        }

        /** Ours, or that of the application's own connections, or two seconds. */
        private Duration time(@Nullable Duration ours, String property) {
            return ours != null ? ours : binder.bind(property, Duration.class).orElse(DEFAULT_TIMEOUT);
        }

        /** Redis wants no blanks in it. */
        private String clientName() {
            String ours = properties.redis().clientName();
            String name = ours != null
                    ? ours
                    : binder.bind("spring.data.redis.client-name", String.class)
                            .orElseGet(() -> binder.bind("spring.application.name", String.class)
                                    .orElse(""));
            return name.replace(' ', '-');
        }
    }
}
