package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers and writers of one client in turns: who is passed what it holds, who waits for whom, and who overtakes. */
@Timeout(60)
class ReadersAndWritersTest extends EngineFixture {
    private static final Duration WAKING = Duration.ofNanos(Line.WAKING_NANOS);

    private DistributedLock reader() {
        return engine.readWriteLock("rw").readLock();
    }

    private DistributedLock writer() {
        return engine.readWriteLock("rw").writeLock();
    }

    private DistributedLock reader(LockOptions options) {
        return engine.readWriteLock("rw", options).readLock();
    }

    /** From now on somebody else's claim is before those of this client. */
    private void othersAreBefore() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
    }

    private void close(Lease lease) {
        lease.close();
        runtime.run();
    }

    private Claim lastClaim() {
        return backend.claim(backend.attempts().size() - 1);
    }

    // ---- writers

    @Test
    void acquire_writerWaitsHere_readerWaitsBehindIt() {
        Lease reading = reader().acquire();
        othersAreBefore();
        CompletableFuture<Lease> writing = waiting(writer());
        CompletableFuture<Lease> late = waiting(reader());
        assertThat(writing.isDone() || late.isDone()).isFalse();

        close(reading);
        push(lastClaim(), seconds(3));

        assertThat(writing).isCompleted();
        assertThat(late).isNotDone();
        close(lease(writing));
        assertThat(late).as("passed on by the writer").isCompleted();
        assertThat(lease(late).token()).isEqualTo(lease(writing).token() + 1);
    }

    @Test
    void revoked_writerWaitsHere_newReadersWaitBehindItAllTheSame() {
        Lease reading = reader().acquire();
        othersAreBefore();
        CompletableFuture<Lease> writing = waiting(writer());
        Claim all = lastClaim();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));

        backend.listener().revoked(backend.claim(0).id());
        runtime.run();
        CompletableFuture<Lease> late = waiting(reader());

        assertThat(reading.isValid()).isFalse();
        assertThat(backend.attempts().stream().map(call -> call.claim().id()).distinct())
                .as("one claim in the store's line")
                .hasSize(2);
        push(all, seconds(3));
        assertThat(late).isNotDone();
        assertThat(lease(writing).isValid()).isTrue();
        close(lease(writing));
        assertThat(late).isCompleted();
        storeMayKeepClaims();
    }

    @Test
    void close_writer_allReadersUpToTheNextWriterRunUnderItsClaim() {
        Lease first = writer().acquire();
        CompletableFuture<Lease> one = waiting(reader());
        CompletableFuture<Lease> two = waiting(reader());
        CompletableFuture<Lease> second = waiting(writer());
        CompletableFuture<Lease> three = waiting(reader());

        close(first);
        assertThat(one.isDone() && two.isDone()).isTrue();
        close(lease(two));
        assertThat(second).as("a writer beside a reader").isNotDone();
        close(lease(one));
        assertThat(second).isCompleted();
        assertThat(three).as("a reader beside a writer").isNotDone();
        close(lease(second));
        close(lease(three));

        assertThat(List.of(first, lease(one), lease(two), lease(second), lease(three)))
                .extracting(Lease::token)
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.releases()).hasSize(1);
    }

    /** A long reader under a claim of all would keep every other reader out, here and elsewhere. */
    @Test
    void close_writerAfterALongSection_readersAskTheStoreForOneEach() {
        Lease slow = reader().acquire();
        runtime.advance(millis(50));
        close(slow);
        Lease writing = writer().acquire();
        CompletableFuture<Lease> next = waiting(reader());

        close(writing);

        assertThat(next).isCompleted();
        assertThat(backend.releasesOf(backend.claim(1))).isOne();
        assertThat(lastClaim().weight()).isOne();
    }

    @Test
    void close_writerLongAfterALongSection_readersRunUnderItsClaimAgain() {
        Lease slow = reader().acquire();
        runtime.advance(millis(50));
        close(slow);
        runtime.advance(millis(500));
        Lease writing = writer().acquire();
        CompletableFuture<Lease> next = waiting(reader());

        close(writing);

        assertThat(next).isCompleted();
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void acquire_readersHaveAClaimOfAll_moreJoinUntilAWriterWaits() {
        Lease writing = writer().acquire();
        CompletableFuture<Lease> reading = waiting(reader());
        close(writing);

        Lease joined = reader().acquire();
        CompletableFuture<Lease> next = waiting(writer());
        CompletableFuture<Lease> late = waiting(reader());

        assertThat(backend.attempts()).hasSize(1);
        assertThat(late).isNotDone();
        close(joined);
        close(lease(reading));
        assertThat(next).isCompleted();
        assertThat(late).isNotDone();
    }

    @Test
    void acquire_writerBehindReadersOfItsOwnClient_standsInTheStoresLineForAll() {
        reader().acquire();
        othersAreBefore();

        waiting(writer());
        waiting(writer());
        waiting(reader());

        assertThat(backend.attempts()).hasSize(2);
        assertThat(lastClaim().weight()).isEqualTo(Resource.ALL_READERS);
    }

    @Test
    void acquire_writerHere_nobodyElseAsksTheStore() {
        writer().acquire();

        waiting(reader());
        waiting(writer());
        assertThat(reader().tryAcquire()).isEmpty();
        assertThat(writer().tryAcquire()).isEmpty();

        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void writerGivesUp_readersBehindItJoin() {
        reader().acquire();
        othersAreBefore();
        CompletableFuture<Optional<Lease>> impatient = writer().tryAcquireAsync(millis(10));
        runtime.run();
        CompletableFuture<Lease> one = waiting(reader());
        CompletableFuture<Lease> two = waiting(reader());

        runtime.advance(millis(10));

        assertThat(impatient.join()).isEmpty();
        assertThat(one.isDone() && two.isDone()).isTrue();
        assertThat(backend.releasesOf(backend.claim(1)))
                .as("the writer's claim")
                .isOne();
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void writerGivesUp_claimOfAllIsNoUseToReaders() {
        othersAreBefore();
        CompletableFuture<Lease> writing = waiting(writer());
        waiting(reader());

        writing.cancel(false);
        runtime.run();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(backend.claim(1).weight()).isOne();
    }

    @Test
    void push_readersWait_allOfThemComeInWithTheFirst() {
        othersAreBefore();
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(waiting(reader()));
        }

        push(backend.claim(0), seconds(3));

        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(backend.attempts()).hasSize(1);
    }

    // ---- one try

    @Test
    void tryAcquire_readersWaitForSomebodyElse_asksTheStoreItself() {
        othersAreBefore();
        waiting(reader());
        backend.nextAttempt(ScriptedBackend.busy());

        assertThat(reader().tryAcquire()).isEmpty();
        assertThat(lastClaim().waits()).isFalse();
        backend.nextAttempt(this::grant);
        CompletableFuture<Lease> waits = waiting(reader());

        Lease got = reader().tryAcquire().orElseThrow();
        runtime.run();

        assertThat(got.isValid()).isTrue();
        assertThat(waits).as("joins what the try got").isCompleted();
    }

    @Test
    void tryAcquire_unknownOutcome_released() {
        othersAreBefore();
        waiting(reader());
        down(1);

        assertThatThrownBy(() -> reader().tryAcquire()).isInstanceOf(LockStoreException.class);
        long sentNanos = runtime.nanoTime();
        Claim unknown = lastClaim();
        runtime.advance(seconds(3));

        assertThat(backend.releases().get(0).claim()).isEqualTo(unknown);
        assertThat(backend.releases().get(backend.releases().size() - 1).atNanos())
                .isGreaterThanOrEqualTo(sentNanos + ScriptedBackend.REQUEST_TIMEOUT.toNanos());
    }

    // ---- overtaking

    /** A lock of all that was passed on to a writer who sleeps. */
    private CompletableFuture<Lease> passedOnToASleepingWriter() {
        Lease writing = writer().acquire();
        CompletableFuture<Lease> sleeper = waiting(writer());
        runtime.worker().stop();
        runtime.advance(Duration.ofNanos(Line.SHORT_TURN_NANOS));
        writing.close();
        return sleeper;
    }

    @Test
    void acquire_writerWakesUp_readersOvertakeIt() throws Exception {
        CompletableFuture<Lease> sleeper = passedOnToASleepingWriter();
        runtime.advance(WAKING.minusNanos(1));

        Lease reading = Actor.does("reader", reader()::acquire).result();
        Lease joined = Actor.does("joins", reader()::acquire).result();

        runtime.worker().go();
        assertThat(sleeper).isNotDone();
        reading.close();
        runtime.run();
        assertThat(sleeper).as("one reads").isNotDone();
        close(joined);
        close(lease(sleeper));
    }

    @Test
    void acquire_writerShouldBeAwake_isNotOvertaken() throws Exception {
        CompletableFuture<Lease> sleeper = passedOnToASleepingWriter();
        runtime.advance(WAKING);

        Actor<Lease> waits = Actor.does("waits", reader()::acquire).awaitParked();

        runtime.worker().go();
        close(lease(sleeper));
        close(waits.result());
    }

    /** Nobody gets a second start because somebody overtook it: its time began when it was called first. */
    @Test
    void acquire_overtakenByALongTurn_notOvertakenAgain() throws Exception {
        CompletableFuture<Lease> sleeper = passedOnToASleepingWriter();
        Lease reading = Actor.does("reader", reader()::acquire).result();
        runtime.advance(WAKING);
        reading.close();

        Actor<Lease> waits = Actor.does("waits", reader()::acquire).awaitParked();

        runtime.worker().go();
        close(lease(sleeper));
        close(waits.result());
    }

    @Test
    void tryAcquire_writerWakesUp_doesNotOvertakeIt() {
        CompletableFuture<Lease> sleeper = passedOnToASleepingWriter();

        assertThat(reader().tryAcquire()).isEmpty();

        runtime.worker().go();
        close(lease(sleeper));
    }

    /** Whoever was called comes too late: it asks the store, and what it was called for goes back. */
    @Test
    void acquire_wakesUpAfterFiftyMillis_notPassedOn() {
        CompletableFuture<Lease> sleeper = passedOnToASleepingWriter();
        runtime.advance(millis(50));

        runtime.worker().go();

        assertThat(lease(sleeper).isValid()).isTrue();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(backend.attempts()).hasSize(2);
    }

    // ---- what is seen

    @Test
    void inspector_severalRead_saysHowMany() {
        reader(LockOptions.defaults().label("one")).acquire();
        reader(LockOptions.defaults().label("two")).acquire();
        Resource resource = new Resource(LockKind.READ_WRITE, "rw", Resource.ALL_READERS);
        backend.inspections(asked -> Optional.of(new ResourceView(
                resource,
                List.of(new ResourceView.Holder(backend.claim(0).id(), 1, 16, seconds(20), "one")),
                List.of())));

        LockStatus status = engine.inspector().find(LockKind.READ_WRITE, "rw").orElseThrow();

        assertThat(status.holders()).extracting(LockStatus.Holder::label).containsExactly("two and 1 more");
    }

    @Test
    void leave_oneTryOfAnotherHasAllOfIt_theNextAsksWhenThatIsLost() {
        othersAreBefore();
        CompletableFuture<Lease> first = waiting(reader());
        CompletableFuture<Lease> next = waiting(reader());
        backend.nextAttempt(this::grant);
        Lease all = writer().tryAcquire().orElseThrow();

        first.cancel(false);
        runtime.run();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));
        runtime.advance(seconds(11));

        assertThat(all.isValid()).isFalse();
        push(lastClaim(), seconds(3));
        assertThat(next).isCompleted();
        storeMayKeepClaims();
    }
}
