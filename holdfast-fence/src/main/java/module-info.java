/**
 * Fences, which refuse a late holder where the data is: {@link io.holdfast.fence}.
 *
 * @since 0.1
 */
module io.holdfast.fence {
    requires transitive io.holdfast.core;
    requires transitive java.sql;

    exports io.holdfast.fence;
}
