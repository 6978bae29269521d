package io.holdfast.memory;

import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What clients say of who waits in them, each for a few seconds. */
final class Waits {
    private static final long LIFE_NANOS = Duration.ofSeconds(5).toNanos();

    private record Text(String text, long untilNanos) {}

    private final StoreClock clock;
    private final ConcurrentMap<String, Text> texts = new ConcurrentHashMap<>();

    Waits(StoreClock clock) {
        this.clock = clock;
    }

    void publish(WaitRecord record) {
        if (record.suspects().isEmpty()) {
            texts.remove(record.client());
        } else {
            texts.put(record.client(), new Text(WaitText.of(record), clock.nowNanos() + LIFE_NANOS));
        }
    }

    Optional<String> of(String clientId) {
        long nowNanos = clock.nowNanos();
        texts.values().removeIf(text -> text.untilNanos <= nowNanos);
        return Optional.ofNullable(texts.get(clientId)).map(Text::text);
    }
}
