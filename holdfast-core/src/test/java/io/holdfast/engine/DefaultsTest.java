package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import org.junit.jupiter.api.Test;

/** One client, with other defaults for a part of the program. */
class DefaultsTest extends EngineFixture {
    private static final LockOptions SHORT =
            LockOptions.defaults().lease(seconds(3)).label("short");

    @Test
    void withDefaults_everyKind_isHeldSo() {
        LockClient other = engine.withDefaults(SHORT);
        other.lock("a").acquire().close();
        other.readWriteLock("a").readLock().acquire().close();
        other.semaphore("a", 2).acquire().close();
        other.allOf("b").acquire().close();
        assertThat(backend.attempts())
                .hasSize(4)
                .allMatch(call -> call.claim().lease().equals(seconds(3))
                        && call.claim().label().equals("short"));
        engine.lock("c").acquire().close();
        assertThat(backend.claim(4).lease()).isEqualTo(LockOptions.DEFAULT_LEASE);
    }

    @Test
    void withDefaults_isTheSameClient() {
        LockClient other = engine.withDefaults(SHORT);
        assertThat(other.id()).isEqualTo(engine.id());
        assertThat(other.defaults()).isEqualTo(SHORT);
        assertThat(engine.defaults()).isEqualTo(LockOptions.defaults());
        other.lock("a").lock();
        assertThat(lock().isHeldByCurrentThread()).isTrue();
        lock().unlock();
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
    }

    @Test
    void withDefaults_closed_closesTheClient() {
        LockClient other = engine.withDefaults(SHORT);
        Lease lease = lock().acquire();
        other.close();
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(() -> lock().acquire()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> engine.withDefaults(SHORT)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void withDefaults_null_refused() {
        assertThatThrownBy(() -> engine.withDefaults(null)).isInstanceOf(NullPointerException.class);
    }
}
