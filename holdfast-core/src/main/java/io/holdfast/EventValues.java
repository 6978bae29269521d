package io.holdfast;

import java.time.Duration;

/** The events as values. Hidden, so that an event can tell more one day without breaking whoever reads it today. */
final class EventValues {
    private EventValues() {}

    record Acquired(LockKind kind, String name, long token, Duration waited, boolean contended)
            implements LockEvent.Acquired {}

    record GaveUp(LockKind kind, String name, Duration waited, GaveUpReason why, boolean contended)
            implements LockEvent.GaveUp {}

    record Failed(LockKind kind, String name, Duration waited, Throwable cause, boolean contended)
            implements LockEvent.Failed {}

    record Contended(LockKind kind, String name) implements LockEvent.Contended {}

    record Obstructed(LockKind kind, String name, Throwable cause) implements LockEvent.Obstructed {}

    record Renewed(LockKind kind, String name, long token, Duration remaining) implements LockEvent.Renewed {}

    record AtRisk(LockKind kind, String name, long token, Duration remaining, Throwable cause)
            implements LockEvent.AtRisk {}

    record Lost(LockKind kind, String name, long token, LostReason reason) implements LockEvent.Lost {}

    record Released(LockKind kind, String name, long token, Duration held) implements LockEvent.Released {}

    record Deadlocked(LockKind kind, String name, Deadlock deadlock) implements DeadlockDetected {}
}
