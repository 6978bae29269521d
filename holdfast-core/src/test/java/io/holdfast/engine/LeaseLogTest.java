package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lost lock is never silent: what the log says of leases, and how often. */
class LeaseLogTest extends EngineFixture {
    private final LogCapture log = new LogCapture();

    @AfterEach
    void endCapture() {
        log.close();
        Logger.getLogger(LeaseLog.NAME).setLevel(null);
    }

    private Lease fixed() {
        return engine.lock("a", LockOptions.defaults().fixedLease(seconds(2))).acquire();
    }

    /** What the log of leases says; the engine has a log of its own. */
    private List<String> said() {
        return log.warnings().stream()
                .filter(each -> LeaseLog.NAME.equals(each.getLoggerName()))
                .map(LogRecord::getMessage)
                .toList();
    }

    @Test
    void lost_nobodyListens_saidOnceWithAllThatIsKnown() {
        Lease lease = fixed();

        runtime.advance(seconds(5));
        lease.isValid();
        lease.close();
        runtime.run();

        assertThat(said())
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("LOCK 'a'", "token " + lease.token(), "EXPIRED", "after 1.97s"));
        storeMayKeepClaims();
    }

    @Test
    void lost_neverAskedAndClosed_saidOnceMoreAtTheClose() {
        Lease lease = fixed();
        runtime.advance(seconds(5));
        assertThat(said()).hasSize(1);

        lease.close();
        lease.close();

        assertThat(said()).hasSize(2);
        assertThat(said().get(1)).contains("when it was closed", "LOCK 'a'", "EXPIRED");
        storeMayKeepClaims();
    }

    /** Nobody has noticed before the close does. */
    @Test
    void lost_noticedByTheClose_bothAreSaid() {
        Lease lease = fixed();
        runtime.jump(seconds(5));

        lease.close();
        runtime.run();

        assertThat(said()).hasSize(2);
        storeMayKeepClaims();
    }

    @Test
    void lost_whoWasToldOrAsked_hearsNothingMoreAtTheClose() {
        for (int way = 0; way < 4; way++) {
            Lease lease = fixed();
            if (way == 0) {
                lease.onLost(reason -> {});
            }
            runtime.advance(seconds(5));
            switch (way) {
                case 1 -> assertThat(lease.isValid()).isFalse();
                case 2 -> assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
                case 3 -> assertThat(lease.remaining()).isZero();
                default -> {}
            }
            lease.close();
        }

        assertThat(said()).hasSize(4).allMatch(line -> line.contains("was lost after"));
        storeMayKeepClaims();
    }

    /** It throws, which is said enough. */
    @Test
    void lost_unlocked_saidOnce() {
        DistributedLock lock = engine.lock("a", LockOptions.defaults().fixedLease(seconds(2)));
        lock.lock();
        runtime.advance(seconds(5));

        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        assertThat(said()).hasSize(1);
        storeMayKeepClaims();
    }

    @Test
    void atRisk_twoRowsOfFailures_saidOncePerLease() {
        Lease lease = lock().acquire();
        for (int row = 0; row < 2; row++) {
            backend.nextRenewal(renewals -> {
                throw new IllegalStateException("connection reset");
            });
            runtime.advance(seconds(18));
            assertThat(lease.remaining()).isGreaterThan(seconds(15));
        }

        assertThat(said())
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("LOCK 'a'", "token 1", "connection reset", "held for", "is lost in"));
        lease.close();
    }

    @Test
    void closed_inTime_nothingIsSaid() {
        Lease lease = lock().acquire();
        runtime.advance(seconds(60));

        lease.close();
        lock().tryAcquire().orElseThrow().closeAfter(seconds(1));
        runtime.advance(seconds(60));

        assertThat(said()).isEmpty();
    }

    @Test
    void lost_clientIsClosed_nothingMoreIsSaid() {
        Lease lease = fixed();
        runtime.jump(seconds(5));

        engine.close();
        runtime.run();

        assertThat(lease.isValid()).isFalse();
        assertThat(said()).allMatch(line -> line.contains("was lost after"));
        storeMayKeepClaims();
    }

    @Test
    void lost_loggerIsOff_nothingIsSaid() {
        Logger.getLogger(LeaseLog.NAME).setLevel(Level.OFF);
        Lease lease = fixed();

        runtime.advance(seconds(5));
        lease.close();

        assertThat(said()).isEmpty();
        storeMayKeepClaims();
    }
}
