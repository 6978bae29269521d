/**
 * Locks in tables of a database: {@link io.holdfast.jdbc}.
 *
 * @since 0.1
 */
module io.holdfast.jdbc {
    requires transitive io.holdfast.core;
    requires transitive java.sql;
    requires io.holdfast.fence;

    exports io.holdfast.jdbc;
}
