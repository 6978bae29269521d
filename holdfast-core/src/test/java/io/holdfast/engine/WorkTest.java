package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work that is done while something is held. */
class WorkTest extends EngineFixture {

    private static void fails() throws IOException {
        throw new FileNotFoundException("orders.csv");
    }

    @Test
    void run_lock_isHeldForTheWorkAndGivenBack() {
        List<Lease> held = new ArrayList<>();
        lock().run(lease -> {
            assertThat(lease.isValid()).isTrue();
            held.add(lease);
        });
        assertThat(held).singleElement().matches(lease -> !lease.isValid());
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void run_checkedException_passesAndTheLockIsGivenBack() {
        assertThatThrownBy(() -> declaresIo()).isInstanceOf(FileNotFoundException.class);
        assertThat(backend.releases()).hasSize(1);
    }

    /** Compiles only if the compiler finds out what the work throws. */
    private void declaresIo() throws IOException {
        lock().run(lease -> fails());
    }

    @Test
    void call_result_isReturned() {
        String text = lock().call(lease -> "token " + lease.token());
        assertThat(text).isEqualTo("token 1");
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void call_nullResult_isReturned() {
        assertThat(lock().<Object, RuntimeException>call(lease -> null)).isNull();
    }

    @Test
    void call_multiLock_givesEveryLeaseBack() {
        int names = engine.allOf("a", "b").call(leases -> leases.leases().size());
        assertThat(names).isEqualTo(2);
        assertThat(backend.releases()).hasSize(2);
    }

    @Test
    void tryRun_busy_isFalseAndNothingIsDone() throws InterruptedException {
        List<Lease> held = new ArrayList<>();
        backend.attempts(ScriptedBackend.busy());
        assertThat(lock().tryRun(Duration.ZERO, held::add)).isFalse();
        assertThat(lock().tryCall(Duration.ZERO, Lease::token)).isEmpty();
        assertThat(held).isEmpty();
        backend.attempts(this::grant);
        assertThat(lock().tryRun(Duration.ZERO, held::add)).isTrue();
        assertThat(lock().tryCall(Duration.ZERO, Lease::token)).isPresent();
        assertThat(held).hasSize(1);
        assertThat(backend.known()).isEmpty();
    }

    @Test
    void tryCall_nullResult_isRefusedAndTheLockIsGivenBack() {
        assertThatThrownBy(() -> lock().tryCall(Duration.ZERO, lease -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("tryRun");
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void work_leaseIsLostMeanwhile_isTold() {
        storeMayKeepClaims();
        LockOptions fixed = LockOptions.defaults().fixedLease(seconds(1));
        for (Runnable each : List.<Runnable>of(
                () -> engine.lock("a", fixed).run(lease -> runtime.advance(seconds(2))),
                () -> engine.lock("b", fixed).call(lease -> {
                    runtime.advance(seconds(2));
                    return 1;
                }))) {
            assertThatThrownBy(each::run)
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.reason()).isEqualTo(LostReason.EXPIRED));
        }
        assertThatThrownBy(() -> engine.lock("c", fixed).tryRun(Duration.ZERO, lease -> runtime.advance(seconds(2))))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void work_failsWhileTheLeaseIsLost_itsOwnFailurePasses() {
        storeMayKeepClaims();
        LockOptions fixed = LockOptions.defaults().fixedLease(seconds(1));
        assertThatThrownBy(() -> engine.lock("a", fixed).run(lease -> {
                    runtime.advance(seconds(2));
                    fails();
                }))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void work_null_refusedBeforeAnythingIsAsked() {
        assertThatThrownBy(() -> lock().run(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lock().call(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lock().tryRun(Duration.ZERO, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lock().tryCall(Duration.ZERO, null)).isInstanceOf(NullPointerException.class);
        assertThat(backend.attempts()).isEmpty();
    }
}
