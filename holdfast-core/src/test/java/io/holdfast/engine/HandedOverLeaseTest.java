package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How long a lock lasts that was handed over: the store gives 3 s until it is asked for more. */
class HandedOverLeaseTest extends EngineFixture {
    private static final Duration NANO = Duration.ofNanos(1);
    private static final Duration HANDED_OVER = seconds(3);
    private static final Duration MOMENT = usable(HANDED_OVER).dividedBy(30);

    @Test
    void renewal_handedOver_wholeLeaseAfterATenthOfASecond() {
        CompletableFuture<Lease> future = queued(lock());
        push(backend.claim(0), HANDED_OVER);

        runtime.advance(MOMENT.minus(NANO));
        assertThat(backend.renewals()).isEmpty();
        assertThat(lease(future).remaining()).isEqualTo(usable(HANDED_OVER).minus(MOMENT.minus(NANO)));
        runtime.advance(NANO);

        assertThat(MOMENT).isBetween(millis(90), millis(100));
        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease(future).remaining()).isEqualTo(USABLE);
    }

    @Test
    void renewal_handedOver_afterwardsAsUsual() {
        CompletableFuture<Lease> future = queued(lock());
        push(backend.claim(0), HANDED_OVER);
        runtime.advance(MOMENT);

        runtime.advance(USABLE.dividedBy(3).minus(NANO));
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(NANO);

        assertThat(backend.renewals()).hasSize(2);
        assertThat(lease(future).isValid()).isTrue();
    }

    /** Two commands for each lock and unlock: who is done within a moment does not pay for a renewal. */
    @Test
    void renewal_handedOverAndGivenBackWithinAMoment_none() {
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Lease> future = queued(engine.lock("lock-" + i));
            push(backend.claim(i), HANDED_OVER);
            runtime.advance(MOMENT.minus(NANO));
            lease(future).close();
        }

        runtime.advance(seconds(1));
        assertThat(backend.renewals()).isEmpty();
        assertThat(backend.attempts()).hasSize(50);
        assertThat(backend.releases()).hasSize(50);
    }

    /**
     * The message was late: what counts is when the lock came here, or every slow link would cost a renewal for each
     * lock.
     */
    @Test
    void renewal_handedOverByALateMessage_aMomentAfterItCame() {
        CompletableFuture<Lease> future = queued(lock());
        long beganNanos = runtime.nanoTime();
        runtime.jump(millis(500));
        backend.push(backend.claim(0), 7, HANDED_OVER, beganNanos);
        runtime.run();

        runtime.advance(MOMENT.minus(NANO));
        assertThat(backend.renewals()).isEmpty();
        runtime.advance(NANO);

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease(future).remaining()).isEqualTo(USABLE);
    }

    /**
     * One that must be renewed takes along what was handed over at about the same time, and nothing that has just come.
     */
    @Test
    void renewal_manyHandedOver_shareACallButNotBeforeHalfAMoment() {
        List<CompletableFuture<Lease>> futures = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            futures.add(queued(engine.lock(name)));
        }
        push(backend.claim(0), HANDED_OVER);
        runtime.advance(MOMENT.dividedBy(4));
        push(backend.claim(1), HANDED_OVER);
        runtime.advance(MOMENT.dividedBy(2));
        push(backend.claim(2), HANDED_OVER);

        runtime.advance(MOMENT.dividedBy(4).plus(NANO.multipliedBy(4)));

        assertThat(backend.renewals()).hasSize(1);
        assertThat(backend.renewals().get(0).ids())
                .containsExactly(backend.claim(0).id(), backend.claim(1).id());
        assertThat(futures).allMatch(future -> lease(future).isValid());
    }

    /** The timer is not armed anew for each of many short holds. */
    @Test
    void renewal_manyHandedOverAndGivenBack_fewTimers() {
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<Lease> future = queued(engine.lock("lock-" + i));
            push(backend.claim(i), HANDED_OVER);
            runtime.jump(Duration.ofNanos(1_000));
            lease(future).close();
        }

        assertThat(runtime.timers())
                .as("timers that wait: of the watchdog, and of closed waits")
                .isLessThan(10);
    }

    /** The thread that gets it from its neighbour has what is left of the hold; the renewal comes at the same time. */
    @Test
    void renewal_passedOnAfterAHandOver_wholeLeaseAtTheSameTime() {
        CompletableFuture<Lease> first = queued(lock());
        CompletableFuture<Lease> second = waiting(lock());
        push(backend.claim(0), HANDED_OVER);
        runtime.advance(millis(20));
        lease(first).close();
        runtime.run();

        assertThat(lease(second).remaining()).isEqualTo(usable(HANDED_OVER).minusMillis(20));
        runtime.advance(MOMENT.minusMillis(20));

        assertThat(lease(second).remaining()).isEqualTo(USABLE);
        assertThat(backend.attempts()).hasSize(1);
    }

    /** A store that gives less than was asked, but not much less, is asked again at the usual time. */
    @Test
    void renewal_storeGrantedALittleLess_atAThird() {
        backend.nextAttempt(claim -> backend.grant(claim, seconds(29)));
        lock().acquire();

        runtime.advance(usable(seconds(29)).dividedBy(3).minus(NANO));
        assertThat(backend.renewals()).isEmpty();
        runtime.advance(NANO);

        assertThat(backend.renewals()).hasSize(1);
    }

    /** A lease that is shorter than what a hand-over gives is whole from the beginning. */
    @Test
    void renewal_shortLeaseHandedOver_wholeAndRenewedAtAThird() {
        CompletableFuture<Lease> future =
                queued(engine.lock("a", LockOptions.defaults().lease(seconds(2))));
        push(backend.claim(0), seconds(2));

        runtime.advance(usable(seconds(2)).dividedBy(3).minus(NANO));
        assertThat(backend.renewals()).isEmpty();
        runtime.advance(NANO);

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease(future).remaining()).isEqualTo(usable(seconds(2)));
    }

    /**
     * The next one has not come for it yet, and the fixed time of the one before is over: the timer, which renews all
     * other leases, has nothing to do with that.
     */
    @Test
    void timer_endOfAClosedLeasePassesDuringTheHandOver_doesNotGoRoundInCircles() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second =
                waiting(engine.lock("a", LockOptions.defaults().fixedLease(seconds(1))));
        CompletableFuture<Lease> third = waiting(lock());
        first.close();
        runtime.run();
        runtime.worker().stop();
        lease(second).close();
        AtomicInteger looks = new AtomicInteger();
        runtime.onNanoTime(() -> {
            if (looks.incrementAndGet() > 10_000) {
                throw new AssertionError("the timer goes round in circles");
            }
        });

        runtime.advance(seconds(2));

        assertThat(looks).hasValueLessThan(1_000);
        runtime.worker().go();
        assertThat(lease(third).isValid()).isTrue();
    }
}
