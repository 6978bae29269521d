package io.holdfast.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The options of {@link LockMeters}. Each method returns this.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for an option out of its range.
 *
 * <pre>{@code
 * locks.addListener(LockMeters.builder(registry).maxGroups(20).client("orders").build());
 * }</pre>
 *
 * @since 0.1
 */
public final class LockMetersBuilder {
    private static final int MOST_GROUPS = 10_000;

    private final MeterRegistry registry;
    private UnaryOperator<String> grouping = Groups::beforeFirstColon;
    private int maxGroups = LockMeters.DEFAULT_MAX_GROUPS;
    private Tags tags = Tags.empty();

    LockMetersBuilder(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Sets how the name of a lock becomes the value of the tag {@code lock}. It is called for every event, so it has to
     * be quick.
     *
     * @param grouping from a name to what many names have in common; if not set, what stands before the first colon, or
     *     the whole name if there is none
     * @return this
     */
    public LockMetersBuilder grouping(UnaryOperator<String> grouping) {
        this.grouping = Objects.requireNonNull(grouping, "grouping");
        return this;
    }

    /**
     * Sets how many values the tag {@code lock} may have. Those that come later are counted together, as {@code other}.
     *
     * @param maxGroups from 1 to 10,000; 100 if not set
     * @return this
     */
    public LockMetersBuilder maxGroups(int maxGroups) {
        if (maxGroups < 1 || maxGroups > MOST_GROUPS) {
            throw new IllegalArgumentException("maxGroups is " + maxGroups + ", expected 1 to " + MOST_GROUPS);
        }
        this.maxGroups = maxGroups;
        return this;
    }

    /**
     * Adds the tag {@code client}, for an application with two clients. All of them need one: meters of one name must
     * have the same tags.
     *
     * @param client how people know the client
     * @return this
     */
    public LockMetersBuilder client(String client) {
        tags = tags.and("client", Objects.requireNonNull(client, "client"));
        return this;
    }

    /**
     * Makes the listener.
     *
     * @return what to add to the client
     */
    public LockMeters build() {
        return new LockMeters(registry, new Groups(grouping, maxGroups), tags, maxGroups);
    }
}
