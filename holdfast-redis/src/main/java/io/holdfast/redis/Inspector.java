package io.holdfast.redis;

import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads records without changing them. */
final class Inspector {
    private static final int SCAN_COUNT = 500;
    private static final long NANOS_PER_MICRO = 1_000;

    private final RedisDriver driver;
    private final Courier courier;
    private final Topology topology;
    private final RedisSettings settings;

    Inspector(RedisDriver driver, Courier courier, Topology topology, RedisSettings settings) {
        this.driver = driver;
        this.courier = courier;
        this.topology = topology;
        this.settings = settings;
    }

    Optional<ResourceView> inspect(Resource resource) {
        String key = Text.key(settings.prefix(), resource);
        long untilNanos = untilNanos();
        Courier.Answer answer =
                courier.call(key, untilNanos, session -> new byte[][] {Text.bytes("HGETALL"), Text.bytes(key)});
        long nowMicros = answer.session().clock().atLeastMicros(System.nanoTime());
        return view(resource, fields(answer.list()), nowMicros);
    }

    private long untilNanos() {
        return System.nanoTime() + settings.requestTimeout().toNanos();
    }

    /** Goes through each server with a cursor, a few hundred keys at a time. */
    Stream<ResourceView> list(String namePrefix) {
        String pattern = Text.pattern(settings.prefix(), namePrefix);
        return topology.nodes(untilNanos()).stream().flatMap(node -> scan(node, pattern));
    }

    private Stream<ResourceView> scan(Node node, String pattern) {
        return Stream.iterate(
                        scan(node, pattern, "0"),
                        java.util.Objects::nonNull,
                        page -> page.cursor.equals("0") ? null : scan(node, pattern, page.cursor))
                .flatMap(page -> page.views.stream());
    }

    private record Page(String cursor, List<ResourceView> views) {}

    private @Nullable Page scan(Node node, String pattern, String cursor) {
        Session session = node.session(untilNanos());
        Duration timeout = settings.requestTimeout();
        try (RedisConnection connection = driver.connection(node.address(), timeout)) {
            List<?> reply = (List<?>) java.util.Objects.requireNonNull(connection.call(
                    timeout,
                    Text.bytes("SCAN"),
                    Text.bytes(cursor),
                    Text.bytes("MATCH"),
                    Text.bytes(pattern),
                    Text.bytes("COUNT"),
                    Text.bytes(SCAN_COUNT)));
            List<Resource> found = new ArrayList<>();
            List<byte[][]> reads = new ArrayList<>();
            for (Object each : (List<?>) reply.get(1)) {
                Resource resource = Text.resource(settings.prefix(), Text.string(each));
                if (resource != null) {
                    found.add(resource);
                    reads.add(new byte[][] {Text.bytes("HGETALL"), (byte[]) each});
                }
            }
            List<ResourceView> views = new ArrayList<>();
            List<@Nullable Object> records = reads.isEmpty() ? List.of() : connection.pipeline(timeout, reads);
            long nowMicros = session.clock().atLeastMicros(System.nanoTime());
            for (int i = 0; i < found.size(); i++) {
                if (records.get(i) instanceof List<?> record) {
                    view(found.get(i), fields(record), nowMicros).ifPresent(views::add);
                }
            }
            return new Page(Text.string(reply.get(0)), views);
        }
    }

    private static Map<String, String> fields(List<?> record) {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < record.size(); i += 2) {
            fields.put(Text.string(record.get(i)), Text.string(record.get(i + 1)));
        }
        return fields;
    }

    /** Empty when nobody holds and nobody waits. */
    private static Optional<ResourceView> view(Resource resource, Map<String, String> fields, long nowMicros) {
        List<ResourceView.Holder> holders = new ArrayList<>();
        TreeMap<Long, ResourceView.Waiting> waiting = new TreeMap<>();
        fields.forEach((field, value) -> {
            if (field.equals("hold")) {
                mutexHolder(value, nowMicros).ifPresent(holders::add);
            } else if (field.startsWith("=")) {
                shareHolder(field.substring(1), value, nowMicros).ifPresent(holders::add);
            } else if (field.startsWith("q")) {
                String[] place = value.split(" ");
                if (Long.parseLong(place[1]) > nowMicros) {
                    waiting.put(
                            Long.parseLong(field.substring(1)),
                            new ResourceView.Waiting(
                                    Text.claimId(place[0]), Integer.parseInt(place[4]), Text.label(place[0])));
                }
            }
        });
        if (holders.isEmpty() && waiting.isEmpty()) {
            return Optional.empty();
        }
        int capacity = Integer.parseInt(fields.getOrDefault("capacity", "1"));
        return Optional.of(new ResourceView(
                new Resource(resource.kind(), resource.name(), capacity), holders, List.copyOf(waiting.values())));
    }

    private static Optional<ResourceView.Holder> mutexHolder(String hold, long nowMicros) {
        String[] parts = hold.split(" ");
        return parts.length < 4
                ? Optional.empty()
                : holder(parts[3], 1, Long.parseLong(parts[0]), Long.parseLong(parts[1]) - nowMicros);
    }

    private static Optional<ResourceView.Holder> shareHolder(String claim, String value, long nowMicros) {
        String[] parts = value.split(" ");
        long lastToken = Long.parseLong(parts[2]) + Long.parseLong(parts[3]) - 1;
        return holder(claim, Integer.parseInt(parts[1]), lastToken, Long.parseLong(parts[0]) - nowMicros);
    }

    private static Optional<ResourceView.Holder> holder(String claim, int weight, long token, long leftMicros) {
        return leftMicros <= 0
                ? Optional.empty()
                : Optional.of(new ResourceView.Holder(
                        Text.claimId(claim),
                        weight,
                        token,
                        Duration.ofNanos(leftMicros * NANOS_PER_MICRO),
                        Text.label(claim)));
    }
}
