/**
 * Locks in Spring: {@link io.holdfast.spring}. What is optional is read only when it is there. None of it is passed on
 * to those that require this module: they could not be compiled without all of it.
 *
 * @since 0.1
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"
}) // Spring and Reactor have reserved names, but no descriptors
module io.holdfast.spring {
    requires transitive io.holdfast.core;
    requires transitive spring.context;
    requires java.desktop; // properties of beans
    requires spring.aop;
    requires spring.beans;
    requires transitive spring.core;
    requires spring.expression;
    requires static io.holdfast.fence;
    requires static java.sql;
    requires static reactor.core;
    requires static org.reactivestreams;
    requires static r2dbc.spi;
    requires static spring.jdbc;
    requires static spring.r2dbc;
    requires static spring.tx;
    requires static net.javacrumbs.shedlock.core;
    requires static spring.integration.core;

    exports io.holdfast.spring;
    exports io.holdfast.spring.event;
    exports io.holdfast.spring.integration;
    exports io.holdfast.spring.leader;
    exports io.holdfast.spring.shedlock;

    // Spring makes beans of classes that are not public.
    opens io.holdfast.spring to
            spring.core,
            spring.beans,
            spring.context;
    opens io.holdfast.spring.leader to
            spring.core,
            spring.beans,
            spring.context;
}
