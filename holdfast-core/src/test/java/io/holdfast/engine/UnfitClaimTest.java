package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.UnfitClaimException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease that the store can never give fails whoever asked for it, and nobody else. */
class UnfitClaimTest extends EngineFixture {
    private static final Duration LONGEST = seconds(60);
    private static final LockOptions TOO_LONG = LockOptions.defaults().lease(seconds(61));

    @BeforeEach
    void strict() {
        backend.attempts(claim -> {
            refuseIfTooLong(claim.lease());
            return backend.grant(claim);
        });
        backend.renewals(
                renewals -> renewals.stream().map(UnfitClaimTest::renewed).toList());
    }

    private static void refuseIfTooLong(Duration lease) {
        if (lease.compareTo(LONGEST) > 0) {
            throw new UnfitClaimException(new Resource(LockKind.LOCK, "a", 1), "a lease of " + lease + " is too long");
        }
    }

    private static RenewResult renewed(Renewal renewal) {
        try {
            refuseIfTooLong(renewal.lease());
            return new RenewResult.Renewed(renewal.lease());
        } catch (UnfitClaimException unfit) {
            return new RenewResult.Failed(unfit);
        }
    }

    private static void assertRefused(CompletableFuture<Lease> future) {
        assertThat(future).isCompletedExceptionally();
        assertThatThrownBy(future::join).hasCauseInstanceOf(UnfitClaimException.class);
    }

    @Test
    void attempt_firstOfALineAsksForTooMuch_failsAloneAndAtOnce() {
        runtime.worker().stop();
        CompletableFuture<Lease> tooLong = engine.lock("a", TOO_LONG).acquireAsync();
        CompletableFuture<Lease> next = lock().acquireAsync();

        runtime.worker().go();

        assertRefused(tooLong);
        assertThat(lease(next).isValid()).isTrue();
        assertThat(backend.attempts())
                .extracting(call -> call.claim().lease())
                .containsExactly(seconds(61), seconds(30));
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void handOut_nextOfTheLineAsksForTooMuch_failsAloneAndTheOneBehindIsServed() {
        for (LockOptions options : List.of(TOO_LONG, LockOptions.defaults().fixedLease(seconds(61)))) {
            Lease first = lock().acquire();
            CompletableFuture<Lease> tooLong = waiting(engine.lock("a", options));
            CompletableFuture<Lease> last = waiting(lock());

            first.close();
            runtime.run();

            assertRefused(tooLong);
            assertThat(lease(last).isValid()).isTrue();
            lease(last).close();
        }
    }

    @Test
    void push_waiterTookOverTheClaimOfAShorterLease_failsAloneAndTheNextIsServed() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Lease> first = waiting(lock());
        CompletableFuture<Lease> tooLong = waiting(engine.lock("a", TOO_LONG));
        CompletableFuture<Lease> last = waiting(lock());
        first.cancel(false);
        runtime.run();
        Claim claim = backend.claim(0);

        push(claim, seconds(3));

        assertRefused(tooLong);
        assertThat(lease(last).isValid()).isTrue();
    }

    @Test
    void attempt_longerButNotTooLong_wholeLeaseFromTheBeginning() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> longer =
                waiting(engine.lock("a", LockOptions.defaults().lease(seconds(50))));

        first.close();
        runtime.run();

        assertThat(lease(longer).remaining()).isEqualTo(usable(seconds(50)));
    }

    @Test
    void attempt_oneTry_saysWhatIsWrong() {
        assertThatThrownBy(() -> engine.lock("a", TOO_LONG).tryAcquire())
                .isInstanceOf(UnfitClaimException.class)
                .hasMessage("a lease of PT1M1S is too long");
        assertThat(lock().tryAcquire().map(Lease::isValid)).contains(true);
    }
}
