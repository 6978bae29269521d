/**
 * Meters and observations of locks: {@link io.holdfast.micrometer}.
 *
 * @since 0.1
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"
}) // Micrometer has reserved names, but no descriptors yet
module io.holdfast.micrometer {
    requires transitive io.holdfast.core;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires transitive micrometer.commons;

    exports io.holdfast.micrometer;
}
