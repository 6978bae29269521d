package io.holdfast;

/**
 * What happens after a store may have forgotten who holds what: a server restarted, or another one took over without
 * the last writes.
 *
 * <p>Chosen where a client is opened, on stores that can forget. All clients of a store must choose the same.
 *
 * @since 0.1
 */
public enum Safety {
    /**
     * The store goes on at once. A lock that it forgot may be granted a second time while its holder still believes in
     * it; tokens still grow, so a fence tells the two apart.
     */
    AVAILABLE,
    /**
     * The store grants nothing new until every lease from before must have ended; holders keep what they have. What a
     * store needs for that, and where it is the default, stands at its builder.
     */
    STRICT
}
