package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.cli.screen.Screen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the inspector shows, in words and in JSON. Text that others wrote into it cannot move the reader's cursor. */
final class Statuses {
    private static final Comparator<LockStatus> ORDER =
            Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind);

    private Statuses() {}

    static List<LockStatus> list(LockClient locks, String namePrefix) {
        try (Stream<LockStatus> all = locks.inspector().list(namePrefix)) {
            return all.sorted(ORDER).toList();
        }
    }

    /** A name as whatever it is used, or as one thing only. */
    static List<LockStatus> find(LockClient locks, String name, @Nullable LockKind only) {
        return Arrays.stream(LockKind.values())
                .filter(kind -> only == null || kind == only)
                .map(kind -> locks.inspector().find(kind, name))
                .flatMap(Optional::stream)
                .toList();
    }

    static String kind(LockKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind, and what a holder has of it. */
    static String share(LockStatus status, LockStatus.Holder holder) {
        return switch (status.kind()) {
            case LOCK, ELECTION -> kind(status.kind());
            case READ_WRITE -> holder.weight() == status.capacity() ? "write" : "read";
            case SEMAPHORE, LATCH -> kind(status.kind()) + " " + holder.weight() + "/" + status.capacity();
        };
    }

    static String who(LockStatus.Client client, String label) {
        return visible(client + (label.isEmpty() ? "" : " " + label));
    }

    /** How long it has been held, as well as two clocks can tell. */
    static Optional<Duration> held(LockStatus.Holder holder) {
        return holder.since().map(Statuses::ago);
    }

    private static Duration ago(Instant since) {
        Duration past = Duration.between(since, Instant.now());
        return past.isNegative() ? Duration.ZERO : past;
    }

    static String waitsFor(LockStatus.Waiter waiter) {
        return waiter.since().map(Statuses::ago).map(DurationConverter::shown).orElse("?");
    }

    static String heldFor(LockStatus.Holder holder) {
        return held(holder).map(DurationConverter::shown).orElse("?");
    }

    static String visible(String text) {
        return Screen.visible(text);
    }

    static Map<String, Object> json(LockStatus status) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", status.name());
        fields.put("kind", kind(status.kind()));
        fields.put("capacity", status.capacity());
        List<Object> holders = new ArrayList<>();
        status.holders().forEach(holder -> holders.add(json(holder)));
        fields.put("holders", holders);
        List<Object> waiters = new ArrayList<>();
        status.waiters().forEach(waiter -> waiters.add(json(waiter)));
        fields.put("waiters", waiters);
        return fields;
    }

    static Map<String, Object> json(LockStatus.Holder holder) {
        Map<String, Object> fields = json(holder.client(), holder.claim(), holder.label(), holder.weight());
        fields.put("token", holder.token());
        holder.since().ifPresent(since -> fields.put("since", since));
        held(holder).ifPresent(held -> fields.put("heldMillis", held.toMillis()));
        fields.put("leftMillis", holder.left().toMillis());
        return fields;
    }

    private static Map<String, Object> json(LockStatus.Waiter waiter) {
        Map<String, Object> fields = json(waiter.client(), waiter.claim(), waiter.label(), waiter.weight());
        fields.put("threads", waiter.threads());
        waiter.since().ifPresent(since -> {
            fields.put("since", since);
            fields.put("waitingMillis", ago(since).toMillis());
        });
        return fields;
    }

    private static Map<String, Object> json(LockStatus.Client client, long claim, String label, int weight) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("client", client.id());
        fields.put("host", client.host());
        fields.put("pid", client.pid());
        fields.put("application", client.name());
        fields.put("claim", claim);
        fields.put("label", label);
        fields.put("weight", weight);
        return fields;
    }
}
