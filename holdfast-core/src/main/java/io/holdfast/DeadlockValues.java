package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deadlocks as values. Hidden, so that one can tell more one day without breaking whoever reads it today. */
final class DeadlockValues {
    private DeadlockValues() {}

    record Circle(
            List<Deadlock.Member> members,
            boolean certain,
            @Nullable Instant end) implements Deadlock {

        @Override
        public Optional<Instant> endsBy() {
            return Optional.ofNullable(end);
        }

        @Override
        public String toString() {
            return members.stream().map(Object::toString).collect(Collectors.joining("\n"));
        }
    }

    record Owner(
            String client,
            String owner,
            boolean certain,
            LockKind kind,
            String name,
            Duration waited,
            List<Deadlock.Hold> holds)
            implements Deadlock.Member {

        @Override
        public String toString() {
            String held = holds.stream()
                    .map(hold -> (hold.kind() == LockKind.LOCK ? "" : hold.kind() + " ") + "'" + hold.name()
                            + "' (token " + hold.token() + ")")
                    .collect(Collectors.joining(", "));
            return client + " " + owner + (certain ? " (certain)" : " (likely)")
                    + (held.isEmpty() ? "" : " holds " + held + " and") + " waits "
                    + DurationText.of(waited.truncatedTo(ChronoUnit.SECONDS)) + " for "
                    + (kind == LockKind.LOCK ? "" : kind + " ") + "'" + name + "'";
        }
    }
}
