package io.holdfast.spring.boot;

/**
 * Changes how the client is built, after the properties were applied: for options that have no property. A bean of this
 * type names the builder of its store, and is left alone on any other store.
 *
 * <p><b>Implementing.</b> For users: this interface will not get another abstract method.
 *
 * <pre>{@code
 * @Bean
 * HoldfastClientCustomizer<RedisLocksBuilder> rotatingPassword(Vault vault) {
 *     return builder -> builder.credentials(vault::current);
 * }
 * }</pre>
 *
 * @param <B> the builder: {@code RedisLocksBuilder}, {@code QuorumLocksBuilder}, {@code JdbcLocksBuilder} or
 *     {@code ZooKeeperLocksBuilder}
 * @since 0.1
 */
@FunctionalInterface
public interface HoldfastClientCustomizer<B> {

    /**
     * Changes the builder.
     *
     * @param builder has what the properties say
     */
    void customize(B builder);
}
