/**
 * Locks in the memory of one process: {@link io.holdfast.memory}.
 *
 * @since 0.1
 */
module io.holdfast.memory {
    requires transitive io.holdfast.core;

    exports io.holdfast.memory;
}
