package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/**
 * One client on a scripted store under a clock of the test's own. After each test nothing may be left: here, or in the
 * store.
 */
abstract class EngineFixture {
    /** What is left of a lease of 30 s the instant it is granted: one percent and 10 ms less. */
    static final Duration USABLE = usable(LockOptions.DEFAULT_LEASE);

    static final LockOptions FIFO = LockOptions.defaults().fairness(Fairness.FIFO);

    final TestRuntime runtime = new TestRuntime();
    final ScriptedBackend backend = new ScriptedBackend(runtime);
    final LockEngine engine = LockEngine.start("client", backend, LockOptions.defaults(), runtime);
    final List<LockEvent> events = new CopyOnWriteArrayList<>();

    /** Claims that the store may still know in the end: those that were lost run out by themselves. */
    private boolean storeMayKeepClaims;

    EngineFixture() {
        engine.addListener(events::add);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        engine.close();
        runtime.run();
        assertThat(engine.leftovers())
                .as("claims, waiters, holds and debts of a closed client")
                .isZero();
        assertThat(runtime.closings()).as("closings of the runtime").isOne();
        assertThat(backend.closings()).as("closings of the backend").isOne();
        if (!storeMayKeepClaims) {
            assertThat(backend.known())
                    .as("claims that the store still knows: %s", backend.calls())
                    .isEmpty();
        }
    }

    final void storeMayKeepClaims() {
        storeMayKeepClaims = true;
    }

    final DistributedLock lock() {
        return engine.lock("a");
    }

    static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    /** What the holder may use of a lease: one percent and 10 ms less. */
    static Duration usable(Duration lease) {
        return lease.minus(lease.dividedBy(100)).minusMillis(10);
    }

    /** Starts a wait without a thread and lets it ask the store. */
    final CompletableFuture<Lease> waiting(DistributedLock lock) {
        CompletableFuture<Lease> future = lock.acquireAsync();
        runtime.run();
        return future;
    }

    /** The same, in the line of a store that somebody else's lock is in. */
    final CompletableFuture<Lease> queued(DistributedLock lock) {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Lease> future = waiting(lock);
        assertThat(future).isNotDone();
        return future;
    }

    /** Serves the claim by message, as of now, and lets the engine work. */
    final void push(Claim claim, Duration left) {
        backend.push(claim, backend.takeTokens(claim), left, runtime.nanoTime());
        runtime.run();
    }

    final AttemptResult grant(Claim claim) {
        return backend.grant(claim);
    }

    static Lease lease(CompletableFuture<Lease> future) {
        assertThat(future).isCompleted();
        return future.join();
    }

    /** Grants every name but this one. */
    final Function<Claim, AttemptResult> allBut(String name, Function<Claim, AttemptResult> answer) {
        return claim -> claim.resource().name().equals(name) ? answer.apply(claim) : grant(claim);
    }

    final List<String> asked() {
        return backend.attempts().stream()
                .map(call -> call.claim().resource().name())
                .toList();
    }

    final List<String> released() {
        return backend.releases().stream()
                .map(call -> call.claim().resource().name())
                .toList();
    }

    /** So many attempts get no answer. */
    final void down(int attempts) {
        for (int i = 0; i < attempts; i++) {
            backend.nextAttempt(ScriptedBackend.down());
        }
    }

    /** The last release of the claim came when nothing of it could be on its way any more, and no debt is left. */
    final void assertSettled(Claim claim, long lastSentNanos) {
        List<ScriptedBackend.Call.Release> releases = backend.releases().stream()
                .filter(call -> call.claim().id().equals(claim.id()))
                .toList();
        assertThat(releases).hasSizeGreaterThanOrEqualTo(2);
        assertThat(releases.get(0).atNanos()).as("the first release").isEqualTo(lastSentNanos);
        assertThat(releases.get(releases.size() - 1).atNanos())
                .as("the last release")
                .isGreaterThanOrEqualTo(lastSentNanos + ScriptedBackend.REQUEST_TIMEOUT.toNanos());
        assertThat(engine.leftovers()).isZero();
    }

    final <T extends LockEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
