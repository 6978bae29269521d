/**
 * Faults and clocks for tests of one's own: {@link io.holdfast.testing}.
 *
 * @since 0.1
 */
module io.holdfast.testing {
    requires transitive io.holdfast.core;

    exports io.holdfast.testing;
}
