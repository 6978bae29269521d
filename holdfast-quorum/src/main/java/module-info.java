/**
 * Locks on a majority of independent stores: {@link io.holdfast.quorum}.
 *
 * @since 0.1
 */
module io.holdfast.quorum {
    requires transitive io.holdfast.core;
    requires transitive io.holdfast.redis;

    exports io.holdfast.quorum;
}
