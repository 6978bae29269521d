package io.holdfast.engine;

import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an inspector shows, as values. Hidden, so that a status can tell more one day without breaking whoever reads it
 * today.
 */
final class StatusValues {
    private StatusValues() {}

    record Status(
            LockKind kind, String name, int capacity, List<LockStatus.Holder> holders, List<LockStatus.Waiter> waiters)
            implements LockStatus {}

    record Client(String id, String host, long pid, String name) implements LockStatus.Client {

        @Override
        public String toString() {
            String place = host.isEmpty() ? id : pid == 0 ? host : host + "/" + pid;
            return name.isEmpty() ? place : name + "@" + place;
        }
    }

    record Holder(
            LockStatus.Client client,
            long claim,
            String label,
            int weight,
            long token,
            Optional<Instant> since,
            Duration left)
            implements LockStatus.Holder {}

    record Waiter(LockStatus.Client client, long claim, String label, int weight, int threads, Optional<Instant> since)
            implements LockStatus.Waiter {}
}
