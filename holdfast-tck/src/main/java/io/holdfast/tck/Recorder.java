package io.holdfast.tck;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;

/** Keeps what a listener heard. */
final class Recorder implements LockListener {
    /** How often conditions are checked. */
    static final Duration POLL = Duration.ofMillis(4);

    private final Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
    private final Duration patience;

    Recorder(Duration patience) {
        this.patience = patience;
    }

    @Override
    public void on(LockEvent event) {
        events.add(event);
    }

    /** The events of one type and name so far, in the order in which they were heard. */
    <E extends LockEvent> List<E> all(Class<E> type, String name) {
        return events.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(event -> event.name().equals(name))
                .toList();
    }

    /** Waits for at least so many events of one type and name, and returns them. */
    <E extends LockEvent> List<E> await(Class<E> type, String name, int number) {
        return Awaitility.await(type.getSimpleName() + " of " + name)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(patience)
                .until(() -> all(type, name), heard -> heard.size() >= number);
    }
}
