package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockRefusedException;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.spring.boot.StoreHealth.Result;
import io.holdfast.spring.boot.StoreHealth.State;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StoreHealthTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger asked = new AtomicInteger();

    private StoreHealth health(LockClient client, List<Finding> findings) {
        StoreHealth health = new StoreHealth(
                () -> {
                    asked.incrementAndGet();
                    return client;
                },
                () -> "here",
                () -> findings,
                time);
        client.addListener(health);
        return health;
    }

    private void later(Duration by) {
        time.advance(by);
    }

    @Test
    void up_tellsWhereAndWhatIsHeld() {
        try (LockClient client = MemoryLocks.create()) {
            StoreHealth health = health(client, List.of());
            try (Lease lease = client.lock("order:1").acquire()) {
                assertThat(lease.isValid()).isTrue();
                Result seen = health.look();
                assertThat(seen.state()).isEqualTo(State.UP);
                assertThat(seen.details())
                        .containsEntry("server", "here")
                        .containsEntry("held", 1)
                        .containsEntry("waiting", 0)
                        .containsKey("roundTrip");
            }
        }
    }

    @Test
    void look_twiceInASecond_asksOnce() {
        try (LockClient client = MemoryLocks.create()) {
            StoreHealth health = health(client, List.of());
            health.look();
            later(Duration.ofMillis(999));
            health.look();
            assertThat(asked).hasValue(1);
            later(Duration.ofMillis(1));
            health.look();
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void down_tellsWhatTheDoctorSays() {
        LockClient client = MemoryLocks.create();
        StoreHealth health = health(
                client,
                List.of(
                        Finding.of(Finding.Level.OK, "a", "clock", "fine", ""),
                        Finding.of(Finding.Level.FAIL, "a", "login", "nobody may log in", "change the password")));
        client.close();

        Result seen = health.look();

        assertThat(seen.state()).isEqualTo(State.DOWN);
        assertThat(seen.details()).containsEntry("error", "nobody may log in; change the password");
    }

    @Test
    void refused_isOutOfServiceUntilItMayBeOver() {
        try (LockClient client = MemoryLocks.create()) {
            StoreHealth health = health(client, List.of());
            LockRefusedException refused =
                    new LockRefusedException(LockKind.LOCK, "a", "it may have forgotten", Duration.ofSeconds(30));
            health.on(LockEvent.Obstructed.of(LockKind.LOCK, "a", refused));
            later(Duration.ofSeconds(10));

            Result seen = health.look();

            assertThat(seen.state()).isEqualTo(State.OUT_OF_SERVICE);
            assertThat(seen.details())
                    .containsEntry("retryAfter", "PT20S")
                    .containsEntry("error", "it may have forgotten");
            later(Duration.ofSeconds(20));
            assertThat(health.look().state()).isEqualTo(State.UP);
        }
    }
}
