package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Candidacy;
import io.holdfast.LeaderElection;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ResourceView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Leaders, one term after another. */
class ElectionTest extends EngineFixture {
    private final LeaderElection election = engine.election("billing");
    private final BlockingQueue<Lease> terms = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    /** Leads until somebody interrupts it. */
    private void workUntilInterrupted(Lease term) {
        terms.add(term);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
            ends.add("interrupted");
        }
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("nothing happened").isNotNull();
        return next;
    }

    private static void awaitTrue(Callable<Boolean> condition) {
        await().pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(20))
                .until(condition);
    }

    @Test
    void stand_elected_leadsUntilClosed() throws Exception {
        Candidacy candidacy = election.stand(this::workUntilInterrupted);
        Lease term = next(terms);
        assertThat(candidacy.isLeader()).isTrue();
        assertThat(term.isValid()).isTrue();
        assertThat(backend.claim(0).resource().kind()).isEqualTo(LockKind.ELECTION);
        assertThat(backend.claim(0).label()).isEqualTo("client");

        candidacy.close();
        candidacy.close();

        assertThat(next(ends)).isEqualTo("interrupted");
        awaitTrue(() -> !term.isValid());
        assertThat(candidacy.isLeader()).isFalse();
        awaitTrue(() -> backend.releases().size() == 1);
    }

    @Test
    void stand_workReturns_standsAgainWithAGreaterToken() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        Candidacy candidacy = election.stand(term -> {
            terms.add(term);
            if (rounds.incrementAndGet() == 3) {
                workUntilInterrupted(term);
            }
        });

        Lease first = next(terms);
        Lease second = next(terms);
        Lease third = next(terms);
        candidacy.close();

        assertThat(first.token()).isLessThan(second.token());
        assertThat(second.token()).isLessThan(third.token());
        assertThat(first.isValid()).isFalse();
    }

    @Test
    void stand_termIsLost_workIsInterruptedAndTheNextOneIsNot() throws Exception {
        storeMayKeepClaims();
        Candidacy candidacy = election.stand(this::workUntilInterrupted);
        Lease first = next(terms);

        runtime.stepWall(USABLE);
        assertThat(candidacy.isLeader()).isFalse();
        runtime.run();

        assertThat(next(ends)).isEqualTo("interrupted");
        Lease second = next(terms);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.isValid()).isTrue();
        assertThat(ends).isEmpty();
        candidacy.close();
        assertThat(next(ends)).isEqualTo("interrupted");
    }

    @Test
    void stand_workThrows_loggedAndStandsAgain() throws Exception {
        try (LogCapture log = new LogCapture()) {
            AtomicInteger rounds = new AtomicInteger();
            Candidacy candidacy = election.stand(term -> {
                if (rounds.incrementAndGet() == 1) {
                    throw new IOException("no money"); // checked, as work may throw
                }
                workUntilInterrupted(term);
            });

            assertThat(next(terms).isValid()).isTrue();
            candidacy.close();

            assertThat(log.messages()).hasSize(1).allMatch(message -> message.contains("'billing'"));
        }
    }

    /** Or a mistake in the work would keep the store and the log busy. */
    @Test
    void stand_workThrowsEachTime_aSecondBetweenTheTerms() throws Exception {
        Candidacy candidacy = election.stand(term -> {
            terms.add(term);
            throw new IllegalStateException("no money");
        });

        next(terms);
        next(terms);
        next(terms);
        candidacy.close();

        assertThat(backend.attempts().get(1).atNanos()
                        - backend.attempts().get(0).atNanos())
                .isGreaterThanOrEqualTo(seconds(1).toNanos());
        assertThat(backend.attempts().get(2).atNanos()
                        - backend.attempts().get(1).atNanos())
                .isGreaterThanOrEqualTo(seconds(1).toNanos());
    }

    @Test
    void stand_storeDown_goesOnTrying() throws Exception {
        try (LogCapture log = new LogCapture()) {
            backend.nextAttempt(claim -> new AttemptResult.Mismatched(3));
            backend.nextAttempt(claim -> new AttemptResult.Mismatched(3));

            Candidacy candidacy = election.stand(this::workUntilInterrupted);

            assertThat(next(terms).isValid()).isTrue();
            candidacy.close();
            assertThat(log.messages()).hasSize(2).allMatch(message -> message.contains("trying again"));
        }
    }

    @Test
    void close_candidateWaits_leavesTheLine() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Candidacy candidacy = election.stand(this::workUntilInterrupted);
        awaitTrue(() -> backend.attempts().size() == 1);

        candidacy.close();

        awaitTrue(() -> backend.releases().size() == 1);
        awaitTrue(() -> engine.leftovers() == 0);
        assertThat(candidacy.isLeader()).isFalse();
    }

    @Test
    void clientClose_leaderWorks_workIsEndedBeforeTheStoreIsClosed() throws Exception {
        Candidacy candidacy = election.stand(this::workUntilInterrupted);
        next(terms);

        engine.close();

        assertThat(next(ends)).isEqualTo("interrupted");
        assertThat(candidacy.isLeader()).isFalse();
        assertThat(backend.calls().get(backend.calls().size() - 1)).isInstanceOf(ScriptedBackend.Call.Close.class);
        assertThatThrownBy(() -> election.stand(term -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    /** The interrupt is not meant for the work, which gets the time that it needs. */
    @Test
    void clientClose_byAnInterruptedThread_waitsForTheWork() throws Exception {
        Thread closing = Thread.currentThread();
        election.stand(term -> {
            workUntilInterrupted(term);
            while (closing.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        });
        next(terms);
        try (LogCapture log = new LogCapture()) {
            closing.interrupt();
            engine.close();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(log.messages()).isEmpty();
        }
    }

    @Test
    void leader_somebodyLeads_theirLabel() {
        assertThat(election.leader()).isEmpty();
        backend.inspections(resource -> Optional.of(new ResourceView(
                resource,
                List.of(new ResourceView.Holder(new ClaimId("far", 1), 1, 1, seconds(9), "node-3")),
                List.of())));

        assertThat(election.leader()).contains("node-3");
        assertThat(election.name()).isEqualTo("billing");
    }

    @Test
    void stand_labelOfTheOptions_shown() throws Exception {
        Candidacy candidacy = engine.election("billing", LockOptions.defaults().label("node-1"))
                .stand(this::workUntilInterrupted);
        next(terms);

        assertThat(backend.claim(0).label()).isEqualTo("node-1");
        assertThat(backend.claim(0).tokens()).isOne();
        candidacy.close();
        next(ends);
    }

    @Test
    void stand_null_refused() {
        assertThatThrownBy(() -> election.stand(null)).isInstanceOf(NullPointerException.class);
    }
}
