package io.holdfast.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The timers of one meter, one for each value of a tag, made when they are needed. */
final class LazyTimers {
    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final Tags tags;
    private final String tag;
    private final String[] values;
    private final AtomicReferenceArray<Timer> timers;

    LazyTimers(MeterRegistry registry, String name, String description, Tags tags, String tag, String... values) {
        this.registry = registry;
        this.name = name;
        this.description = description;
        this.tags = tags;
        this.tag = tag;
        this.values = values;
        this.timers = new AtomicReferenceArray<>(values.length);
    }

    Timer get(int which) {
        Timer timer = timers.get(which);
        if (timer == null) {
            timer = Timer.builder(name) // twice at worst: a registry gives the same timer again
                    .description(description)
                    .tags(tags.and(tag, values[which]))
                    .register(registry);
            timers.set(which, timer);
        }
        return timer;
    }
}
