package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.RedisAddress;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An answer to {@code CLUSTER SLOTS}: which master has which slots.
 *
 * @param ranges in order
 */
public record ClusterSlots(List<Range> ranges) {
    private static final byte[][] COMMAND = Bytes.command("CLUSTER", "SLOTS");

    /**
     * A range of slots.
     *
     * @param from the first
     * @param to the last
     * @param master the master that has them
     */
    public record Range(int from, int to, RedisAddress master) {}

    /** The command to send. */
    public static byte[][] command() {
        return COMMAND;
    }

    /**
     * Reads an answer.
     *
     * @param asked the server that gave it; a server that does not know its own address means the one at which it was
     *     reached
     */
    public static ClusterSlots read(@Nullable Object reply, RedisAddress asked) {
        List<?> all = reply instanceof List<?> list ? list : List.of();
        return new ClusterSlots(all.stream()
                .map(each -> range((List<?>) Objects.requireNonNull(each), asked))
                .sorted(Comparator.comparingInt(Range::from))
                .toList());
    }

    private static Range range(List<?> range, RedisAddress asked) {
        List<?> master = (List<?>) range.get(2);
        String host = master.get(0) == null ? "" : Replies.string(master.get(0));
        return new Range(
                (int) Replies.number(range.get(0)),
                (int) Replies.number(range.get(1)),
                new RedisAddress(host.isEmpty() ? asked.host() : host, (int) Replies.number(master.get(1))));
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public Set<RedisAddress> masters() {
        return ranges.stream().map(Range::master).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The slots of one server, as {@code from-to,…}. */
    public String of(RedisAddress master) {
        return ranges.stream()
                .filter(range -> range.master().equals(master))
                .map(range -> range.from() + "-" + range.to())
                .collect(Collectors.joining(","));
    }
}
