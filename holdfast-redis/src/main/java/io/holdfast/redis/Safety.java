package io.holdfast.redis;

/**
 * What happens when a server may have forgotten who holds what, because it restarted or another one took over.
 *
 * @since 0.1
 */
public enum Safety {
    /**
     * The server goes on at once. A lock that it forgot may be granted a second time while its holder still believes in
     * it; tokens still grow, so a fence can tell the two apart. The default for one plain server and for Cluster.
     */
    AVAILABLE,
    /**
     * The server grants nothing new until every lease from before must have ended; holders keep what they have. Needs
     * Redis 7.0, and {@code min-replicas-to-write} on a replicated server. The default for Sentinel.
     */
    STRICT
}
