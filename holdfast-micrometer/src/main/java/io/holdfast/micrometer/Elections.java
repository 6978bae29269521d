package io.holdfast.micrometer;

import io.holdfast.LockEvent;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which elections this process leads. An application has few of them, so that the name itself is the tag; those beyond
 * the number of groups have no gauge, as a sum of them would mean nothing.
 */
final class Elections {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Groups names;
    private final Map<String, AtomicInteger> leads = new ConcurrentHashMap<>();

    Elections(MeterRegistry registry, Tags tags, int most) {
        this.registry = registry;
        this.tags = tags;
        this.names = new Groups(name -> name, most);
    }

    void on(LockEvent event) {
        if (!names.of(event.name()).equals(event.name())) {
            return;
        }
        AtomicInteger leading = leads.computeIfAbsent(event.name(), this::gauge);
        if (event instanceof LockEvent.Acquired) {
            leading.set(1);
        } else if (event instanceof LockEvent.Released || event instanceof LockEvent.Lost) {
            leading.set(0);
        }
    }

    private AtomicInteger gauge(String election) {
        AtomicInteger leading = new AtomicInteger();
        Gauge.builder("holdfast.leader", leading, AtomicInteger::get)
                .description("Whether this process leads: 1 or 0")
                .tags(tags.and("election", election))
                .register(registry);
        return leading;
    }
}
