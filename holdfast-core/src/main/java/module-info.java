/**
 * The API ({@link io.holdfast}), the SPI for stores ({@link io.holdfast.spi}) and the engine between them ({@link
 * io.holdfast.engine}).
 *
 * @since 0.1
 */
module io.holdfast.core {
    requires static transitive org.jspecify;
    requires static jdk.jfr;

    exports io.holdfast;
    exports io.holdfast.spi;
    exports io.holdfast.engine;
}
