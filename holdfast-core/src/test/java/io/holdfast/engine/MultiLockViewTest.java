package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockLostException;
import io.holdfast.MultiLock;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several locks in the style of {@link java.util.concurrent.locks.Lock}. */
class MultiLockViewTest extends EngineFixture {
    private final MultiLock all = engine.allOf("b", "c", "a", "b");

    private static List<Taking> takings() {
        return Taking.waiting();
    }

    /** Somebody breaks the first while the second is taken. */
    private void loseTheFirst() {
        storeMayKeepClaims();
        backend.nextAttempt(this::grant);
        backend.nextAttempt(claim -> {
            Claim first = backend.claim(backend.attempts().size() - 2);
            backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));
            backend.listener().revoked(first.id());
            runtime.run();
            runtime.jump(millis(1));
            return grant(claim);
        });
    }

    @ParameterizedTest
    @MethodSource("takings")
    void lock_aLeaseEndsWhileALaterOneIsWaitedFor_startsOver(Taking taking) throws InterruptedException {
        loseTheFirst();

        assertThat(taking.by(all)).isTrue();

        for (String name : all.names()) {
            assertThat(engine.lock(name).holdCount()).as("holds of %s", name).isOne();
        }
        assertThat(asked()).containsExactly("a", "b", "c", "a", "b", "c");
        all.unlock();
        assertThatThrownBy(all::unlock).isInstanceOf(IllegalMonitorStateException.class);
        runtime.run();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryLock_aLeaseEndsMeanwhile_falseAndNothingIsHeld() throws InterruptedException {
        loseTheFirst();
        assertThat(all.tryLock()).isFalse();
        loseTheFirst();
        assertThat(all.tryLock(1, TimeUnit.NANOSECONDS))
                .as("no time to start over")
                .isFalse();

        for (String name : all.names()) {
            assertThatThrownBy(engine.lock(name)::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
        runtime.run();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryLock_startsOver_withinOneDeadline() throws InterruptedException {
        storeMayKeepClaims();
        backend.attempts(claim -> {
            runtime.jump(USABLE.dividedBy(2));
            return grant(claim);
        });
        long startNanos = runtime.nanoTime();

        assertThat(all.tryLock(60, TimeUnit.SECONDS)).isFalse();

        assertThat(runtime.nanoTime() - startNanos)
                .isLessThan(seconds(60).plus(USABLE).toNanos());
    }

    /** What the thread held before it asked for all is a section of its own, and that was broken. */
    @Test
    void lock_aPartHeldBeforeIsLostMeanwhile_throwsInsteadOfStartingOver() {
        storeMayKeepClaims();
        engine.lock("a").lock();
        backend.nextAttempt(claim -> {
            runtime.stepWall(USABLE);
            return grant(claim);
        });

        assertThatThrownBy(all::lock)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.lockName()).isEqualTo("a"));

        assertThat(engine.lock("b").holdCount()).isZero();
        assertThatThrownBy(engine.lock("a")::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(engine.lock("a")::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void unlock_aPartIsNotHeld_throwsAndReleasesNothing() {
        for (String held : all.names()) {
            engine.lock(held).lock();

            assertThatThrownBy(all::unlock).isInstanceOf(IllegalMonitorStateException.class);

            assertThat(engine.lock(held).holdCount()).isOne();
            assertThat(released()).doesNotContain(held);
            engine.lock(held).unlock();
        }
    }

    @Test
    void unlock_aPartWasLost_releasesTheOthersAndSaysSo() {
        storeMayKeepClaims();
        all.lock();
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));
        assertThatThrownBy(() -> engine.lock("b").lease().extend(seconds(60))).isInstanceOf(LockLostException.class);

        assertThatThrownBy(all::unlock)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.lockName()).isEqualTo("b"));

        assertThat(released()).containsExactly("c", "a");
        assertThatThrownBy(all::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lock_interruptedWhileItWaits_givesBackWhatItTookAndKeepsWhatWasHeldBefore() throws Exception {
        backend.attempts(allBut("c", ScriptedBackend.queued(1, seconds(10))));
        Actor<Integer> waiter = Actor.does("waiter", () -> {
            engine.lock("a").lock();
            try {
                all.lockInterruptibly();
                return -1;
            } catch (InterruptedException expected) {
                int holds = engine.lock("a").holdCount();
                engine.lock("a").unlock();
                return holds;
            }
        });
        waiter.awaitParked();

        waiter.interrupt();

        assertThat(waiter.result()).isOne();
        assertThat(released()).containsExactlyInAnyOrder("a", "b", "c");
    }
}
