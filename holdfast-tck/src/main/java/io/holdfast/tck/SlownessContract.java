package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The store has long said yes when the client gets the answer: a lease is counted from the request, and nobody is left
 * holding it.
 *
 * @since 0.1
 */
public abstract class SlownessContract extends Contract {

    /** For subclasses. */
    protected SlownessContract() {}

    /** Holds back one reply until it is opened. */
    private final class Held {
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch reached = new CountDownLatch(1);

        Fault fault() {
            return new Fault.SlowReply(() -> {
                reached.countDown();
                awaitOpen();
            });
        }

        private void awaitOpen() {
            boolean interrupted = false;
            boolean opened = false;
            while (!opened) {
                try {
                    opened = open.await(patience().toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitReached() {
            soon("a request under way").until(() -> reached.getCount() == 0);
        }
    }

    @Test
    void acquire_slowReply_isCountedFromTheRequest() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("slow");
        Held reply = new Held();
        Duration lease = millis(4_000);
        faulty.script().once(Call.Attempt.class, reply.fault()).always(Call.Renew.class, new Fault.Down());
        DistributedLock lock = faulty.client().lock(name, defaults().lease(lease));
        Crew.Hand<Lease> caller = crew().ask("caller", lock::acquire);
        reply.awaitReached();
        long executed = nanoTime();
        always(
                "the lock is held",
                millis(700),
                () -> look(LockKind.LOCK, name).holders().size() == 1);

        reply.open.countDown();
        Lease slow = caller.result();
        Duration late = Duration.ofNanos(nanoTime() - executed);

        assertThat(slow.remaining()).isLessThanOrEqualTo(lease.minus(millis(700)));
        assertThat(late).isGreaterThanOrEqualTo(millis(700));
        try (Lease next = stranger().lock(name).acquire()) {
            assertThat(slow.isValid())
                    .as("first lease when another client has the next")
                    .isFalse();
            assertThat(next.token()).isGreaterThan(slow.token());
        }
    }

    @Test
    void acquire_replyAfterTheEndOfTheLease_isNotHandedOut() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("too late");
        Held reply = new Held();
        faulty.script().once(Call.Attempt.class, reply.fault());
        DistributedLock lock = faulty.client().lock(name, lease(500));
        Crew.Hand<Lease> caller = crew().ask("caller", lock::acquire);
        reply.awaitReached();
        long token;
        try (Lease between = stranger().lock(name).acquire()) {
            token = between.token();
            reply.open.countDown();
            always("it waits for its turn", millis(100), () -> !caller.isDone());
        }

        Lease lease = caller.result();

        assertThat(lease.token()).isGreaterThan(token);
        lease.close();
        assertFree(name);
    }

    @Test
    void extend_replyAfterTheEndOfTheLease_isLostAndReleased() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("resurrected");
        Lease lease = faulty.client().lock(name, fixedLease(2_000)).acquire();
        Held reply = new Held();
        faulty.script().once(Call.Renew.class, reply.fault());
        Crew.Hand<Boolean> extending = crew().run("extending", () -> lease.extend(millis(120_000)));
        reply.awaitReached();
        soon("the end of the lease").until(() -> !lease.isValid());

        reply.open.countDown();

        assertThat(extending.failure()).isInstanceOf(LockLostException.class);
        assertThat(lease.isValid()).isFalse();
        assertFree(name);
    }

    @Test
    void interrupt_requestUnderWay_leaksNothing() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("interrupted");
        Held reply = new Held();
        faulty.script().once(Call.Attempt.class, reply.fault());
        Crew.Hand<Boolean> caller = crew().ask("caller", () -> {
            try (Lease lease = faulty.client().lock(name).acquireInterruptibly()) {
                return lease.isValid();
            } catch (InterruptedException expected) {
                return true;
            }
        });
        reply.awaitReached();
        caller.interrupt();
        reply.open.countDown();

        assertThat(caller.result()).isTrue();
        assertFree(name);
    }

    @Test
    void timeout_requestUnderWay_leaksNothing() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("timed out");
        Held reply = new Held();
        faulty.script().once(Call.Attempt.class, reply.fault());
        Crew.Hand<Optional<Lease>> caller =
                crew().ask("caller", () -> faulty.client().lock(name).tryAcquire(millis(20)));
        reply.awaitReached();
        always(
                "the lock is held",
                millis(60),
                () -> look(LockKind.LOCK, name).holders().size() == 1);
        reply.open.countDown();

        caller.result().ifPresent(Lease::close);
        assertFree(name);
    }

    @Test
    void cancel_requestUnderWay_leaksNothing() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("cancelled");
        Held reply = new Held();
        faulty.script().once(Call.Attempt.class, reply.fault());
        CompletableFuture<Lease> waiting = faulty.client().lock(name).acquireAsync();
        reply.awaitReached();
        assertThat(waiting.cancel(true)).isTrue();
        reply.open.countDown();
        assertFree(name);
    }

    @Test
    void clientClose_requestUnderWay_leaksNothing() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("closed");
        Held reply = new Held();
        faulty.script().once(Call.Attempt.class, reply.fault());
        Crew.Hand<Lease> caller = crew().ask("caller", faulty.client().lock(name)::acquire);
        reply.awaitReached();
        Crew.Hand<Boolean> closing = crew().run("closing", faulty.client()::close);
        soon("the client is closed")
                .untilAsserted(() -> assertThatThrownBy(
                                () -> faulty.client().lock(name).tryLock())
                        .isInstanceOf(IllegalStateException.class));

        reply.open.countDown();

        assertThat(caller.failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(faulty.client().id());
        assertThat(closing.result()).isTrue();
        assertFree(name);
    }

    @Test
    void clientClose_asyncRequestUnderWay_leaksNothing() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("closed");
        Held reply = new Held();
        faulty.script().once(Call.Attempt.class, reply.fault());
        CompletableFuture<Lease> waiting = faulty.client().lock(name).acquireAsync();
        reply.awaitReached();
        Crew.Hand<Boolean> closing = crew().run("closing", faulty.client()::close);
        soon("the client is closed")
                .untilAsserted(() -> assertThatThrownBy(
                                () -> faulty.client().lock(name).tryLock())
                        .isInstanceOf(IllegalStateException.class));

        reply.open.countDown();

        assertThat(closing.result()).isTrue();
        assertThatThrownBy(() -> waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                        .join())
                .hasCauseInstanceOf(IllegalStateException.class);
        assertFree(name);
    }

    @Test
    void release_slowReply_nextHolderGetsItAtOnce() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("slow release");
        Lease lease = faulty.client().lock(name).acquire();
        Held reply = new Held();
        faulty.script().once(Call.Release.class, reply.fault());
        CompletableFuture<Void> closing = lease.closeAsync();
        reply.awaitReached();

        try (Lease next = stranger().lock(name).tryAcquire().orElseThrow()) {
            assertThat(lease.isValid()).isFalse();
            reply.open.countDown();
            assertThat(closing).succeedsWithin(patience().toSeconds(), TimeUnit.SECONDS);
            assertThat(next.isValid()).isTrue();
        }
    }
}
