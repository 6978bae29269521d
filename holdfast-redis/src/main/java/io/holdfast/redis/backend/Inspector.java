package io.holdfast.redis.backend;

import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.LinesFormat;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.Topology;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads records without changing them. */
final class Inspector {
    /** How long a mutex record outlives its lease, so that it never ends too early. */
    private static final long SPARE_MILLIS = 1;

    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final int SCAN_COUNT = 500;
    private static final long NANOS_PER_MICRO = 1_000;

    private final NodeCaller caller;
    private final Topology topology;
    private final RedisSettings settings;
    private final Timing time;

    Inspector(NodeCaller caller, Topology topology, RedisSettings settings) {
        this.caller = caller;
        this.topology = topology;
        this.settings = settings;
        this.time = settings.time();
    }

    Optional<ResourceView> inspect(Resource resource) {
        String key = Keys.key(settings.prefix(), resource);
        Answer answer = caller.call(key, untilNanos(), (node, session) -> session.call(Name.INSPECT, key));
        return view(resource, answer.list());
    }

    private long untilNanos() {
        return time.nanos() + settings.requestTimeout().toNanos();
    }

    /** Goes through each server with a cursor, a few hundred keys at a time. */
    Stream<ResourceView> list(String namePrefix) {
        String pattern = Keys.pattern(settings.prefix(), namePrefix);
        return topology.nodes(untilNanos()).stream().flatMap(node -> scan(node, pattern));
    }

    private Stream<ResourceView> scan(Node node, String pattern) {
        return Stream.iterate(
                        scan(node, pattern, "0"),
                        Objects::nonNull,
                        page -> page.cursor.equals("0") ? null : scan(node, pattern, page.cursor))
                .flatMap(page -> page.views.stream());
    }

    private record Page(String cursor, List<ResourceView> views) {}

    private Page scan(Node node, String pattern, String cursor) {
        try {
            return page(node, pattern, cursor);
        } catch (RedisLinkException broken) {
            node.broke(); // the idle connection may have been dead: once more on a new one
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(pattern, settings, failure);
        }
        try {
            return page(node, pattern, cursor);
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(pattern, settings, failure);
        }
    }

    private Page page(Node node, String pattern, String cursor) {
        Session session = node.session(untilNanos());
        Duration timeout = settings.requestTimeout();
        try (RedisConnection connection = node.connection(session, untilNanos())) {
            List<?> reply = (List<?>) Objects.requireNonNull(connection.call(
                    timeout,
                    Bytes.of("SCAN"),
                    Bytes.of(cursor),
                    Bytes.of("MATCH"),
                    Bytes.of(pattern),
                    Bytes.of("COUNT"),
                    Bytes.of(SCAN_COUNT)));
            List<Resource> found = new ArrayList<>();
            List<byte[][]> reads = new ArrayList<>();
            for (Object each : (List<?>) reply.get(1)) {
                Resource resource = Keys.resource(settings.prefix(), Replies.string(each));
                if (resource != null) {
                    found.add(resource);
                    reads.add(session.call(Name.INSPECT, Replies.string(each)));
                }
            }
            List<ResourceView> views = new ArrayList<>();
            List<@Nullable Object> records = reads.isEmpty() ? List.of() : connection.pipeline(timeout, reads);
            for (int i = 0; i < found.size(); i++) {
                if (records.get(i) instanceof List<?> record) {
                    readable(found.get(i), record).ifPresent(views::add);
                }
            }
            return new Page(Replies.string(reply.get(0)), views);
        }
    }

    /** A record that another program has overwritten must not hide all others. */
    private static Optional<ResourceView> readable(Resource resource, List<?> record) {
        try {
            return view(resource, record);
        } catch (NumberFormatException | IndexOutOfBoundsException broken) {
            LOG.log(
                    Level.WARNING,
                    "the record of " + resource.kind() + " '" + Printable.of(resource.name()) + "' cannot be read");
            return Optional.empty();
        }
    }

    private static Map<String, String> fields(List<?> record) {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < record.size(); i += 2) {
            fields.put(Replies.string(record.get(i)), Replies.string(record.get(i + 1)));
        }
        return fields;
    }

    /** Empty when nobody holds and nobody waits. */
    private static Optional<ResourceView> view(Resource resource, List<?> record) {
        long nowMicros = Replies.number(record.get(0));
        long leftMillis = Replies.number(record.get(1)) - Scripts.RETENTION.toMillis() - SPARE_MILLIS;
        Map<String, String> fields = fields((List<?>) Objects.requireNonNull(record.get(2)));
        List<ResourceView.Holder> holders = new ArrayList<>();
        TreeMap<Long, ResourceView.Waiting> waiting = new TreeMap<>();
        fields.forEach((field, value) -> {
            if (field.equals("hold")) {
                mutexHolder(value, leftMillis).ifPresent(holders::add);
            } else if (field.startsWith("=")) {
                shareHolder(field.substring(1), value, nowMicros).ifPresent(holders::add);
            } else if (field.startsWith("q")) {
                String[] place = value.split(" ", -1);
                if (Long.parseLong(place[1]) > nowMicros) {
                    waiting.put(
                            Long.parseLong(field.substring(1)),
                            new ResourceView.Waiting(
                                    Keys.claimId(place[0]),
                                    Integer.parseInt(place[4]),
                                    Keys.label(place[0]),
                                    waitingSince(fields.getOrDefault("@" + place[0], ""))));
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

    private static Optional<ResourceView.Holder> mutexHolder(String hold, long leftMillis) {
        String[] parts = hold.split(" ", -1);
        return parts.length < 3
                ? Optional.empty()
                : holder(parts[2], 1, Long.parseLong(parts[0]), Duration.ofMillis(leftMillis));
    }

    private static Optional<ResourceView.Holder> shareHolder(String claim, String value, long nowMicros) {
        String[] parts = value.split(" ", -1);
        long lastToken = Long.parseLong(parts[2]) + Long.parseLong(parts[3]) - 1;
        Duration left = Duration.ofNanos((Long.parseLong(parts[0]) - nowMicros) * NANOS_PER_MICRO);
        return holder(claim, Integer.parseInt(parts[1]), lastToken, left);
    }

    private static Optional<ResourceView.Holder> holder(String claim, int weight, long token, Duration left) {
        return left.isZero() || left.isNegative()
                ? Optional.empty()
                : Optional.of(new ResourceView.Holder(
                        Keys.claimId(claim), weight, token, left, Keys.label(claim), Optional.of(since(token))));
    }

    /** The second word of a place; clients of older versions wrote none. */
    private static Optional<Instant> waitingSince(String place) {
        int blank = place.indexOf(' ');
        return blank < 0 ? Optional.empty() : Optional.of(since(Long.parseLong(place.substring(blank + 1))));
    }

    /** A token is the server's time at the grant, or slightly later. */
    private static Instant since(long token) {
        return Instant.EPOCH.plus(token, ChronoUnit.MICROS);
    }

    Optional<ClientView> client(String clientId) {
        String key = ClientRecord.key(settings, clientId);
        Answer answer =
                caller.call(key, untilNanos(), (node, session) -> new byte[][] {Bytes.of("HGETALL"), Bytes.of(key)});
        Map<String, String> client = fields(answer.list());
        return client.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClientView(
                        client.getOrDefault("host", ""),
                        Long.parseLong(client.getOrDefault("pid", "0")),
                        client.getOrDefault("name", ""),
                        LinesFormat.read(client.getOrDefault("lines", ""))));
    }
}
