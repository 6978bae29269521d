package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.engine.EngineRuntime;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.FaultScript;
import io.holdfast.testing.FaultyBackend;
import io.holdfast.testing.ManualRuntime;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every contract needs: a fixture for each test, clients that are closed at the end, names that nobody else uses,
 * helper threads whose failures count.
 *
 * <p>Real stores have real clocks, so contracts use short leases and wait for what must happen with a generous bound.
 * They never ask how fast it was. Leases of clients for which nothing else is said last 30 s, which is longer than that
 * bound: what leaks is still there when the bound has passed.
 *
 * @since 0.1
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(AbilityTests.class)
@SuppressWarnings("exports") // JUnit makes the extension, subclasses need not
public abstract class Contract extends FixtureSource {
    private static final Duration UNSCALED_PATIENCE = Duration.ofSeconds(15);

    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
    private final Map<LockClient, Recorder> recorders = new ConcurrentHashMap<>();
    private final ReentrantLock othersLock = new ReentrantLock();
    private BackendFixture fixture;
    private Crew crew;
    private @Nullable LockClient stranger;
    private @Nullable RawClient observer;

    /** For subclasses. */
    protected Contract() {}

    /**
     * Makes the fixture of one test.
     *
     * @return a new fixture; the kit closes it
     * @throws Exception if the store cannot be started, which fails the test
     */
    @Override
    protected abstract BackendFixture newFixture() throws Exception;

    @BeforeEach
    final void openFixture() throws Exception {
        fixture = newFixture();
        crew = new Crew(patience());
    }

    @AfterEach
    @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final void closeEverything() {
        AssertionError failure = null;
        while (!opened.isEmpty()) {
            failure = failureOf(opened.pop()::close, failure);
        }
        failure = failureOf(crew::finish, failure);
        failure = failureOf(fixture::close, failure);
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable AssertionError failureOf(Crew.Work work, @Nullable AssertionError before) {
        try {
            work.run();
            return before;
        } catch (Exception | AssertionError failure) {
            AssertionError first = before == null ? new AssertionError("clean-up failed") : before;
            first.addSuppressed(failure);
            return first;
        }
    }

    final BackendFixture fixture() {
        return fixture;
    }

    final Crew crew() {
        return crew;
    }

    /** The bound for everything that must happen soon. Shorter than the default lease. */
    final Duration patience() {
        return UNSCALED_PATIENCE.multipliedBy(fixture.timeScale());
    }

    /** A time that is stretched for a slow store. */
    final Duration millis(long number) {
        return Duration.ofMillis(number).multipliedBy(fixture.timeScale());
    }

    /** The monotonic clock of this machine, for bounds on real time. */
    static long nanoTime() {
        return TimeSource.system().nanoTime();
    }

    /** A name that nobody else uses. */
    static String name(String word) {
        return word + '-' + UUID.randomUUID().toString().substring(0, 13);
    }

    /** A new client with leases that outlast {@link #patience()}. */
    final LockClient client() {
        return client(defaults());
    }

    /** A new client. */
    final LockClient client(LockOptions options) {
        return client(fixture.newBackend(), options);
    }

    /** A new client on a backend that the test made. */
    final LockClient client(LockBackend backend, LockOptions options) {
        return opened(LockEngine.start(backend, options));
    }

    /** A new client that looks for deadlocks as often as it may. */
    final LockClient lookingClient(LockOptions options) {
        return lookingClient(fixture.newBackend(), options);
    }

    /** The same on a backend that the test made. */
    final LockClient lookingClient(LockBackend backend, LockOptions options) {
        return opened(LockEngine.start(backend, options, millis(250)));
    }

    /** A new client that lives in a time of its own; the store does not. */
    final LockClient client(ManualRuntime runtime, LockOptions options) {
        return opened(LockEngine.start(fixture.newBackend(), options, runtime));
    }

    /** A new client on other clocks. */
    final LockClient client(TimeSource clocks, LockOptions options) {
        return opened(
                LockEngine.start(fixture.newBackend(clocks), options, EngineRuntime.system("holdfast-skewed", clocks)));
    }

    private LockClient opened(LockClient client) {
        opened.push(client);
        Recorder recorder = new Recorder(patience());
        client.addListener(recorder);
        recorders.put(client, recorder);
        return client;
    }

    /** A new client behind a bad network. */
    final FaultyClient faultyClient(LockOptions options) {
        FaultScript script = new FaultScript();
        LockBackend real = fixture.newBackend();
        FaultyBackend backend =
                new FaultyBackend(real, script, (task, delay) -> runLater(task, delay, real.requestTimeout()));
        LockClient client = client(backend, options);
        opened.push(script::clear);
        return new FaultyClient(client, script, backend);
    }

    /** No store does later what it was asked for, also if this machine stood still meanwhile: then it is not done. */
    private static void runLater(Runnable task, Duration delay, Duration latest) {
        long start = nanoTime();
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(() -> {
            if (nanoTime() - start <= latest.toNanos()) {
                task.run();
            }
        });
    }

    /** A client, what goes wrong with its calls, and where it is counted. */
    record FaultyClient(LockClient client, FaultScript script, FaultyBackend backend) {}

    /** A client without an engine: the bare backend. */
    final RawClient rawClient() {
        return rawClient(TimeSource.system());
    }

    /** The same on other clocks. */
    final RawClient rawClient(TimeSource clocks) {
        return rawClient(fixture.newBackend(clocks), clocks);
    }

    /** The same on a backend that the test made. */
    final RawClient rawClient(LockBackend backend, TimeSource clocks) {
        RawClient raw = new RawClient(backend, patience(), clocks);
        opened.push(raw);
        return raw;
    }

    /** The events of a client made here. */
    final Recorder events(LockClient client) {
        return Objects.requireNonNull(recorders.get(client), "made elsewhere");
    }

    /** One more client that competes with those of the test. */
    final LockClient stranger() {
        othersLock.lock();
        try {
            if (stranger == null) {
                stranger = client();
            }
            return stranger;
        } finally {
            othersLock.unlock();
        }
    }

    /** One more client that only looks. */
    final RawClient observer() {
        othersLock.lock();
        try {
            if (observer == null) {
                observer = rawClient();
            }
            return observer;
        } finally {
            othersLock.unlock();
        }
    }

    final LockOptions defaults() {
        return LockOptions.defaults().lease(LockOptions.DEFAULT_LEASE.multipliedBy(fixture.timeScale()));
    }

    final LockOptions lease(long millis) {
        return LockOptions.defaults().lease(millis(millis));
    }

    final LockOptions fixedLease(long millis) {
        return LockOptions.defaults().fixedLease(millis(millis));
    }

    /** Waits for something that must come true. */
    final ConditionFactory soon(String what) {
        return await(what).pollDelay(Duration.ZERO).pollInterval(Recorder.POLL).atMost(patience());
    }

    /** Fails as soon as something is not true that must stay true. */
    final void always(String what, Duration time, Callable<Boolean> holds) {
        long start = nanoTime();
        await(what)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(time.plus(patience()))
                .until(() -> {
                    assertThat(holds.call()).as(what).isTrue();
                    return nanoTime() - start >= time.toNanos();
                });
    }

    /**
     * Fails unless a hold is renewed twice from now on, and held all the time. What is left then in the store is more
     * than what would be left of the length that it has now.
     */
    final void assertRenewed(LockClient client, LockKind kind, String name, Duration length, Callable<Boolean> held) {
        long start = nanoTime();
        int before = events(client).all(LockEvent.Renewed.class, name).size();
        soon("two renewals of " + name).pollInSameThread().until(() -> {
            assertThat(held.call()).as("held until it is renewed").isTrue();
            return events(client).all(LockEvent.Renewed.class, name).size() >= before + 2;
        });
        assertThat(look(kind, name).holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.left().plusNanos(nanoTime() - start))
                        .as("from now to its end in the store")
                        .isGreaterThan(length.plus(length.dividedBy(10))));
    }

    /** Fails unless another client can have the lock. */
    final void assertFree(String name) {
        try {
            Optional<Lease> lease = stranger().lock(name).tryAcquire(patience());
            assertThat(lease).as("lease of %s for another client", name).isPresent();
            lease.orElseThrow().close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Fails if another client can have the lock. */
    final void assertHeld(String name) {
        Optional<Lease> lease = stranger().lock(name).tryAcquire();
        lease.ifPresent(Lease::close);
        assertThat(lease).as("lease of %s for another client", name).isEmpty();
    }

    /** What the store knows, or an empty view. */
    final ResourceView look(LockKind kind, String name) {
        return observer().look(new Resource(kind, name, 1));
    }

    /** Waits until so many claims stand in the store's line. */
    final void awaitWaiting(LockKind kind, String name, int number) {
        soon(number + " waiting for " + name)
                .until(() -> look(kind, name).waiting().size() == number);
    }

    /** Waits until so many callers of a client have begun to wait. */
    final void awaitContended(LockClient client, String name, int number) {
        assertThat(events(client).await(LockEvent.Contended.class, name, number))
                .hasSizeGreaterThanOrEqualTo(number);
    }
}
