package io.holdfast.micrometer;

import io.holdfast.GaveUpReason;
import io.holdfast.LockEvent;
import io.holdfast.LostReason;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The meters of one group and kind. Counters are there from the first event on, so that zero is seen as zero. */
final class GroupMeters {
    private static final String RENEWALS = "Renewals; failed ones are counted once per run of failures";
    private static final int ACQUIRED = 0;
    private static final int BUSY = 1;
    private static final int CANCELLED = 2;
    private static final int FAILED = 3;

    private static final int RELEASED = 0;
    private static final int LOST = 1;

    /** What a lease is known by: a loss does not tell how long it was held. */
    private record LeaseKey(String name, long token) {}

    private final Clock clock;
    private final Map<LeaseKey, Long> startedNanos = new ConcurrentHashMap<>();

    private final LazyTimers acquire;
    private final LazyTimers hold;
    private final Counter contended;
    private final Counter obstructed;
    private final Counter renewed;
    private final Counter renewalFailed;
    private final Map<LostReason, Counter> lost = new EnumMap<>(LostReason.class);
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();

    GroupMeters(MeterRegistry registry, Tags tags) {
        clock = registry.config().clock();
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
        gauge(registry, "waiting", "Callers of this process that wait because the lock is taken", tags, waiting);
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
            ended(ACQUIRED, acquired.waited(), acquired.contended());
            startedNanos.put(new LeaseKey(event.name(), acquired.token()), clock.monotonicTime());
            held.incrementAndGet();
        } else if (event instanceof LockEvent.Released released) {
            hold.get(RELEASED).record(released.held());
            ended(new LeaseKey(event.name(), released.token()));
        } else if (event instanceof LockEvent.Contended) {
            contended.increment();
            waiting.incrementAndGet();
        } else if (event instanceof LockEvent.GaveUp gaveUp) {
            ended(gaveUp.why() == GaveUpReason.BUSY ? BUSY : CANCELLED, gaveUp.waited(), gaveUp.contended());
        } else if (event instanceof LockEvent.Failed failed) {
            ended(FAILED, failed.waited(), failed.contended());
        } else if (event instanceof LockEvent.Renewed) {
            renewed.increment();
        } else if (event instanceof LockEvent.AtRisk) {
            renewalFailed.increment();
        } else if (event instanceof LockEvent.Obstructed) {
            obstructed.increment();
        } else if (event instanceof LockEvent.Lost lostEvent) {
            Objects.requireNonNull(lost.get(lostEvent.reason())).increment();
            Long start = ended(new LeaseKey(event.name(), lostEvent.token()));
            if (start != null) {
                hold.get(LOST).record(clock.monotonicTime() - start, TimeUnit.NANOSECONDS);
            }
        }
    }

    /** Returns when it began, or null for a lease from before the listener was added. */
    private @Nullable Long ended(LeaseKey lease) {
        Long start = startedNanos.remove(lease);
        if (start != null) {
            held.decrementAndGet();
        }
        return start;
    }

    private void ended(int outcome, Duration waited, boolean hadToWait) {
        acquire.get(outcome).record(waited);
        if (hadToWait) {
            waiting.decrementAndGet();
        }
    }
}
