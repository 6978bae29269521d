import io.holdfast.redis.driver.RedisDriverProvider;

/** A user of Holdfast that is a module itself. */
@SuppressWarnings("requires-automatic") // Micrometer and Spring have reserved names, but no descriptors
module io.holdfast.testing.modules {
    requires io.holdfast.memory;
    requires io.holdfast.quorum;
    requires io.holdfast.redis.lettuce;
    requires io.holdfast.fence;
    requires io.holdfast.jdbc;
    requires io.holdfast.micrometer;
    requires io.holdfast.spring;
    requires io.holdfast.tck;
    requires io.holdfast.testing;
    requires io.netty.resolver.dns; // Lettuce 7 needs it, and has no descriptor that would say so
    requires org.apache.commons.logging; // Spring 7 needs it, likewise

    uses RedisDriverProvider;

    opens io.holdfast.testing.modules; // Spring makes beans of it
}
