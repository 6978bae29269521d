/**
 * The contract that every store keeps, as JUnit tests to extend: {@link io.holdfast.tck}.
 *
 * @since 0.1
 */
@SuppressWarnings("requires-automatic") // Awaitility has no descriptor yet
module io.holdfast.tck {
    requires transitive io.holdfast.core;
    requires transitive io.holdfast.testing;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;
    requires awaitility;

    exports io.holdfast.tck;

    opens io.holdfast.tck to
            org.junit.platform.commons;
}
