package io.holdfast.micrometer;

import io.holdfast.DeadlockDetected;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Feeds the meters of one client: how long callers wait, how long leases are held, what is lost and why.
 *
 * <table>
 *   <caption>The meters. All have the tags {@code lock} and {@code kind}, the leader only what is named</caption>
 *   <tr><th>meter</th><th>type</th><th>more tags</th></tr>
 *   <tr><td>{@code holdfast.lock.acquire}</td><td>timer</td><td>{@code outcome}: {@code acquired}, {@code busy},
 *     {@code cancelled}, {@code failed}</td></tr>
 *   <tr><td>{@code holdfast.lock.hold}</td><td>timer</td><td>{@code end}: {@code released}, {@code lost}</td></tr>
 *   <tr><td>{@code holdfast.lock.contended}, {@code holdfast.lock.obstructed}</td><td>counter</td><td></td></tr>
 *   <tr><td>{@code holdfast.lock.renewals}</td><td>counter</td><td>{@code outcome}: {@code renewed},
 *     {@code failed}</td></tr>
 *   <tr><td>{@code holdfast.lock.lost}</td><td>counter</td><td>{@code reason}: those of
 *     {@link io.holdfast.LostReason}</td></tr>
 *   <tr><td>{@code holdfast.lock.held}, {@code holdfast.lock.waiting}</td><td>gauge</td><td></td></tr>
 *   <tr><td>{@code holdfast.deadlocks}</td><td>counter</td><td></td></tr>
 *   <tr><td>{@code holdfast.leader}</td><td>gauge</td><td>{@code election}</td></tr>
 *   <tr><td>{@code holdfast.fence.refused}</td><td>counter</td><td></td></tr>
 *   <tr><td>{@code holdfast.locked.late}</td><td>counter</td><td></td></tr>
 * </table>
 *
 * <p><b>Guarantees.</b> The tag {@code lock} is a group of names, and has at most as many values as was said, and
 * {@code other}; one warning tells when that is reached.
 *
 * <p><b>Not guaranteed.</b> The gauges count what happened since the listener was added. A failed renewal is counted
 * once per run of failures. What other processes hold is not counted: ask a {@link io.holdfast.LockInspector}.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Takes less than a microsecond per event.
 *
 * <p><b>Failures.</b> None of its own.
 *
 * <pre>{@code
 * locks.addListener(LockMeters.of(registry));
 * }</pre>
 *
 * @since 0.1
 */
public final class LockMeters implements LockListener {
    /** How many values the tag {@code lock} may have unless something else is said. */
    public static final int DEFAULT_MAX_GROUPS = 100;

    private final MeterRegistry registry;
    private final Groups groups;
    private final Tags tags;
    private final Elections elections;
    private final Map<LockKind, Map<String, GroupMeters>> meters = new EnumMap<>(LockKind.class);

    LockMeters(MeterRegistry registry, Groups groups, Tags tags, int maxElections) {
        this.registry = registry;
        this.groups = groups;
        this.tags = tags;
        this.elections = new Elections(registry, tags, maxElections);
        for (LockKind kind : LockKind.values()) {
            meters.put(kind, new ConcurrentHashMap<>());
        }
    }

    /**
     * Makes a listener with the default options.
     *
     * @param registry where the meters are
     * @return what to add to the client
     */
    public static LockMeters of(MeterRegistry registry) {
        return builder(registry).build();
    }

    /**
     * Begins a listener with options.
     *
     * @param registry where the meters are
     * @return what to set them on
     */
    public static LockMetersBuilder builder(MeterRegistry registry) {
        return new LockMetersBuilder(Objects.requireNonNull(registry, "registry"));
    }

    @Override
    public void on(LockEvent event) {
        LockKind kind = event.kind();
        String group = groups.of(event.name());
        Map<String, GroupMeters> ofKind = Objects.requireNonNull(meters.get(kind));
        GroupMeters meter = ofKind.get(group);
        if (meter == null) {
            meter = ofKind.computeIfAbsent(group, key -> new GroupMeters(registry, tags(kind, key)));
        }
        meter.on(event);
        if (event instanceof DeadlockDetected) {
            count("holdfast.deadlocks", "Deadlocks that a caller of this process was found in", kind, event.name());
        }
        if (kind == LockKind.ELECTION) {
            elections.on(event);
        }
    }

    private Tags tags(LockKind kind, String group) {
        return tags.and("lock", group, "kind", kind.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Counts a write that a fence refused: {@code holdfast.fence.refused}. For whoever catches
     * {@code StaleTokenException}, as no client is told of it.
     *
     * @param kind what the name is used as
     * @param name which lock
     */
    public void fenceRefused(LockKind kind, String name) {
        count("holdfast.fence.refused", "Writes of late holders that a fence refused", kind, name);
    }

    /**
     * Counts a call that was refused because its transaction had begun before the lock: {@code holdfast.locked.late}.
     *
     * @param kind what the name is used as
     * @param name which lock
     */
    public void lockedLate(LockKind kind, String name) {
        count("holdfast.locked.late", "Calls refused because their transaction began before the lock", kind, name);
    }

    private void count(String meter, String description, LockKind kind, String name) {
        Counter.builder(meter)
                .description(description)
                .tags(tags(kind, groups.of(name)))
                .register(registry)
                .increment();
    }

    @Override
    public String toString() {
        return "LockMeters" + tags;
    }
}
