package io.holdfast.micrometer;

import io.holdfast.LockEvent;
import io.holdfast.LostReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** The meters of one group and kind. Counters are there from the first event on, so that zero is seen as zero. */
final class GroupMeters {
    private static final String RENEWALS = "Renewals; failed ones are counted once per run of failures";
    private static final int ACQUIRED = 0;

    private static final int RELEASED = 0;

    private final LazyTimers acquire;
    private final LazyTimers hold;
    private final Counter contended;
    private final Counter obstructed;
    private final Counter renewed;
    private final Counter renewalFailed;
    private final Map<LostReason, Counter> lost = new EnumMap<>(LostReason.class);
    private final AtomicInteger held = new AtomicInteger();

    GroupMeters(MeterRegistry registry, Tags tags) {
        acquire = new LazyTimers(
                registry,
                "holdfast.lock.acquire",
                "How long callers waited for a lease, by what came of it",
                tags,
                "outcome",
                "acquired",
                "busy",
                "cancelled",
                "failed");
        hold = new LazyTimers(
                registry,
                "holdfast.lock.hold",
                "How long leases were held, by how they ended",
                tags,
                "end",
                "released",
                "lost");
        contended = counter(registry, "contended", "Callers that had to wait because the lock was taken", tags);
        obstructed =
                counter(registry, "obstructed", "Callers that had to wait because the store granted nothing", tags);
        renewed = counter(registry, "renewals", RENEWALS, tags.and("outcome", "renewed"));
        renewalFailed = counter(registry, "renewals", RENEWALS, tags.and("outcome", "failed"));
        for (LostReason reason : LostReason.values()) {
            String value = reason.name().toLowerCase(Locale.ROOT);
            lost.put(reason, counter(registry, "lost", "Leases that were lost", tags.and("reason", value)));
        }
        gauge(registry, "held", "Leases that this process holds", tags, held);
    }

    private static Counter counter(MeterRegistry registry, String what, String description, Tags tags) {
        return Counter.builder("holdfast.lock." + what)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry, String what, String description, Tags tags, AtomicInteger number) {
        Gauge.builder("holdfast.lock." + what, number, AtomicInteger::get)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired acquired) {
            acquire.get(ACQUIRED).record(acquired.waited());
            held.incrementAndGet();
        } else if (event instanceof LockEvent.Released released) {
            hold.get(RELEASED).record(released.held());
            held.decrementAndGet();
        } else if (event instanceof LockEvent.Contended) {
            contended.increment();
        } else if (event instanceof LockEvent.Renewed) {
            renewed.increment();
        } else if (event instanceof LockEvent.AtRisk) {
            renewalFailed.increment();
        } else if (event instanceof LockEvent.Obstructed) {
            obstructed.increment();
        } else if (event instanceof LockEvent.Lost lostEvent) {
            Objects.requireNonNull(lost.get(lostEvent.reason())).increment();
            held.decrementAndGet();
        }
    }
}
