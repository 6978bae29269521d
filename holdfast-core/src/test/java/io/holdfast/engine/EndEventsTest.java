package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.Candidacy;
import io.holdfast.GaveUpReason;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every acquisition that began ends with exactly one event: acquired, given up, or failed. */
class EndEventsTest extends EngineFixture {

    /** One way to acquire something that waits for at most two seconds. */
    interface Way {
        Object on(LockEngine engine) throws Exception;
    }

    static Stream<Named<Way>> waits() {
        Duration wait = Duration.ofSeconds(2);
        return Stream.of(
                Named.of("lock", engine -> engine.lock("a").tryAcquire(wait)),
                Named.of("fifo", engine -> engine.lock("a", FIFO).tryAcquire(wait)),
                Named.of("tryLock", engine -> engine.lock("a").tryLock(2, TimeUnit.SECONDS)),
                Named.of("read", engine -> engine.readWriteLock("a").readLock().tryAcquire(wait)),
                Named.of(
                        "write", engine -> engine.readWriteLock("a").writeLock().tryLock(wait)),
                Named.of("semaphore", engine -> engine.semaphore("a", 2).tryAcquire(2, wait)),
                Named.of("latch", engine -> engine.latch("a", 1).await(wait)),
                Named.of("run", engine -> engine.lock("a").tryRun(wait, lease -> {})));
    }

    private List<LockEvent> ends() {
        return events.stream()
                .filter(event -> event instanceof LockEvent.Acquired
                        || event instanceof LockEvent.GaveUp
                        || event instanceof LockEvent.Failed)
                .toList();
    }

    private LockEvent.GaveUp gaveUp() {
        assertThat(ends()).singleElement().isInstanceOf(LockEvent.GaveUp.class);
        return events(LockEvent.GaveUp.class).get(0);
    }

    private LockEvent.Failed failed() {
        assertThat(ends()).singleElement().isInstanceOf(LockEvent.Failed.class);
        return events(LockEvent.Failed.class).get(0);
    }

    // ---- busy

    @ParameterizedTest
    @MethodSource("waits")
    void busy_anyWay_gaveUpOnce(Way way) throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Object> thread = Actor.does("waits", () -> way.on(engine)).awaitParked();
        runtime.advance(seconds(2));
        LockSupport.unpark(thread.thread());
        thread.result();

        assertThat(gaveUp().why()).isEqualTo(GaveUpReason.BUSY);
        assertThat(gaveUp().name()).isEqualTo("a");
        assertThat(gaveUp().waited()).isEqualTo(seconds(2));
        assertThat(gaveUp().contended()).isTrue();
    }

    @Test
    void busy_future_gaveUpOnce() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(seconds(2));
        runtime.advance(seconds(3));

        assertThat(future.join()).isEmpty();
        assertThat(gaveUp()).isEqualTo(LockEvent.GaveUp.of(LockKind.LOCK, "a", seconds(2), GaveUpReason.BUSY, true));
    }

    @Test
    void busy_secondOfSeveral_eachNameEndsOnce() {
        backend.attempts(allBut("b", ScriptedBackend.busy()));

        assertThat(engine.allOf("a", "b", "c").tryAcquire()).isEmpty();

        assertThat(ends())
                .containsExactly(
                        LockEvent.Acquired.of(LockKind.LOCK, "a", 1, seconds(0)),
                        LockEvent.GaveUp.of(LockKind.LOCK, "b", seconds(0), GaveUpReason.BUSY, true));
        assertThat(events(LockEvent.Released.class)).hasSize(1);
    }

    @Test
    void busy_heldByAnotherThreadHere_gaveUp() {
        Lease held = lock().acquire();
        events.clear();

        assertThat(lock().tryAcquire()).isEmpty();

        assertThat(gaveUp().why()).isEqualTo(GaveUpReason.BUSY);
        held.close();
    }

    // ---- interrupted, cancelled, closed

    @ParameterizedTest
    @MethodSource("waits")
    void interrupted_whileItWaits_gaveUpOnce(Way way) throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Object> thread = Actor.does("waits", () -> way.on(engine)).awaitParked();
        thread.interrupt();

        assertThat(thread.failure()).isInstanceOf(InterruptedException.class);
        assertThat(gaveUp().why()).isEqualTo(GaveUpReason.INTERRUPTED);
    }

    @Test
    void interrupted_before_nothingBegan() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> lock().acquireInterruptibly()).isInstanceOf(InterruptedException.class);

        assertThat(events).isEmpty();
    }

    @Test
    void cancelled_future_gaveUpOnce() {
        CompletableFuture<Lease> future = queued(lock());

        future.cancel(true);
        runtime.run();

        assertThat(gaveUp().why()).isEqualTo(GaveUpReason.CANCELLED);
        assertThat(gaveUp().contended()).isTrue();
    }

    /** It was acquired, and given back: the cancel came too late to be the end. */
    @Test
    void cancelled_grantWasFaster_acquiredAndReleased() {
        CompletableFuture<Lease> future = lock().acquireAsync();
        runtime.callbacks().stop();
        runtime.run();
        future.cancel(true);
        runtime.callbacks().go();
        runtime.run();

        assertThat(ends()).containsExactly(LockEvent.Acquired.of(LockKind.LOCK, "a", 1, seconds(0)));
        assertThat(events(LockEvent.Released.class)).hasSize(1);
    }

    @Test
    void cancelled_oneOfSeveral_waitingPartGaveUp() {
        backend.attempts(allBut("b", ScriptedBackend.queued(1, seconds(10))));
        CompletableFuture<?> future = engine.allOf("a", "b").acquireAsync();
        runtime.run();

        future.cancel(true);
        runtime.run();

        assertThat(events(LockEvent.GaveUp.class)).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("b");
            assertThat(event.why()).isEqualTo(GaveUpReason.CANCELLED);
        });
        assertThat(ends()).hasSize(2);
    }

    @Test
    void closed_whileAThreadAndAFutureWait_eachGaveUpOnce() throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Lease> thread = Actor.does("waits", () -> lock().acquire()).awaitParked();
        CompletableFuture<Lease> future = waiting(engine.lock("b"));

        engine.close();
        runtime.run();

        assertThat(thread.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(future).isCompletedExceptionally();
        assertThat(ends()).hasSize(2);
        assertThat(events(LockEvent.GaveUp.class))
                .extracting(LockEvent.GaveUp::why)
                .containsOnly(GaveUpReason.CLOSED);
    }

    /** Its threads have ended before it could leave. */
    @Test
    void closed_futureIsDismissed_gaveUpOnce() {
        CompletableFuture<Lease> future = queued(lock());
        runtime.worker().stop();

        engine.close();
        runtime.worker().go();
        runtime.run();

        assertThat(future).isCompletedExceptionally();
        assertThat(gaveUp().why()).isEqualTo(GaveUpReason.CLOSED);
        storeMayKeepClaims();
    }

    @Test
    void closed_before_nothingBegan() {
        var lock = lock();
        engine.close();

        assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::acquireAsync).isInstanceOf(IllegalStateException.class);

        assertThat(events).isEmpty();
    }

    @Test
    void candidacy_closedWhileItWaits_gaveUp() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Candidacy candidacy = engine.election("a").stand(term -> {});
        await().until(() -> !events(LockEvent.Contended.class).isEmpty());

        candidacy.close();

        await().until(() -> !ends().isEmpty());
        assertThat(gaveUp().why()).isEqualTo(GaveUpReason.INTERRUPTED);
        assertThat(gaveUp().kind()).isEqualTo(LockKind.ELECTION);
    }

    // ---- failed

    @ParameterizedTest
    @MethodSource("waits")
    void failed_storeIsDown_toldOnceWithWhatTheCallerGets(Way way) throws Exception {
        backend.attempts(ScriptedBackend.down());
        Actor<Object> thread = Actor.does("waits", () -> way.on(engine)).awaitParked();
        while (!thread.isDone()) {
            runtime.advance(millis(100));
            runtime.pause(0);
        }

        Throwable thrown = thread.failure();
        assertThat(thrown).isInstanceOf(LockStoreException.class);
        assertThat(failed().cause()).isSameAs(thrown);
        assertThat(failed().waited()).isPositive();
        assertThat(failed().contended()).isFalse();
    }

    @Test
    void failed_future_toldOnceWithWhatTheCallerGets() {
        backend.attempts(ScriptedBackend.down());
        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(Duration.ZERO);
        runtime.run();

        assertThat(catchThrowable(future::join)).cause().isSameAs(failed().cause());
    }

    @Test
    void failed_everybodyInTheLine_eachIsTold() {
        backend.attempts(ScriptedBackend.down());
        List<CompletableFuture<Lease>> futures =
                List.of(lock().acquireAsync(), lock().acquireAsync(), lock().acquireAsync());
        runtime.advance(seconds(10));

        assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(ends()).hasSize(3);
        assertThat(events(LockEvent.Failed.class)).hasSize(3);
    }

    @Test
    void failed_errorOfTheBackend_told() {
        backend.nextAttempt(claim -> {
            throw new AssertionError("out of order");
        });

        assertThatThrownBy(() -> lock().acquire()).isInstanceOf(AssertionError.class);

        assertThat(failed().cause()).hasMessage("out of order");
    }

    @Test
    void failed_otherCapacity_told() {
        backend.attempts(claim -> new AttemptResult.Mismatched(3));

        assertThatThrownBy(() -> engine.semaphore("a", 2).acquire()).isInstanceOf(IllegalArgumentException.class);

        assertThat(failed().kind()).isEqualTo(LockKind.SEMAPHORE);
    }

    // ---- neither

    @ParameterizedTest
    @MethodSource("waits")
    void acquired_anyWay_noOtherEnd(Way way) throws Exception {
        way.on(engine);
        engine.close();

        assertThat(ends()).singleElement().isInstanceOf(LockEvent.Acquired.class);
    }

    /** The client was closed while the lease was made: it is closed at once, and its caller gets an exception. */
    @Test
    void acquired_clientIsClosedMeanwhile_acquiredAndReleasedOnly() throws Exception {
        List<Actor<Boolean>> closing = new CopyOnWriteArrayList<>();
        backend.nextAttempt(claim -> {
            closing.add(Actor.does("closes", () -> {
                engine.close();
                return true;
            }));
            await().until(() -> catchThrowable(() -> engine.lock("b")) instanceof IllegalStateException);
            return grant(claim);
        });

        assertThatThrownBy(() -> lock().acquire()).isInstanceOf(IllegalStateException.class);
        closing.get(0).result();

        assertThat(ends()).hasSize(1);
    }
}
