package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Every method that blocks throws when interrupted, or sets the flag again; and nothing is left behind.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // These tests take and give back in one line; a failure closes the client.
public abstract class InterruptionContract extends Contract {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Makes names of a multi-lock that are taken before and after the one that is waited for. */
    private static final String BEFORE = "!";

    private static final String AFTER = "~";

    /** For subclasses. */
    protected InterruptionContract() {}

    /** Takes something and gives it back, or waits for it. */
    private interface Use {
        void by(LockClient client, String name) throws Exception;
    }

    /** Something that blocks while {@link #heldBy} has not been closed. */
    private record Blocking(String what, LockKind kind, Use use) {

        AutoCloseable heldBy(LockClient client, String name) {
            return switch (kind) {
                case LOCK -> client.lock(name).acquire();
                case READ_WRITE -> client.readWriteLock(name).writeLock().acquire();
                case SEMAPHORE -> client.semaphore(name, 3).acquire(3);
                case LATCH -> () -> client.latch(name, 1).countDown();
                case ELECTION -> throw new AssertionError("nobody blocks there");
            };
        }

        /** Tells whether a client can have all of it. */
        boolean isFree(LockClient client, String name, Duration patience) throws InterruptedException {
            Optional<Lease> lease = switch (kind) {
                case LOCK -> client.lock(name).tryAcquire(patience);
                case READ_WRITE -> client.readWriteLock(name).writeLock().tryAcquire(patience);
                case SEMAPHORE -> client.semaphore(name, 3).taking(3).tryAcquire(patience);
                case LATCH, ELECTION -> Optional.empty();
            };
            lease.ifPresent(Lease::close);
            return lease.isPresent() || kind == LockKind.LATCH;
        }
    }

    private static List<Blocking> throwing() {
        return List.of(
                new Blocking(
                        "acquireInterruptibly",
                        LockKind.LOCK,
                        (client, name) ->
                                client.lock(name).acquireInterruptibly().close()),
                new Blocking(
                        "acquireInterruptibly, FIFO",
                        LockKind.LOCK,
                        (client, name) ->
                                fifo(client, name).acquireInterruptibly().close()),
                new Blocking(
                        "tryAcquire",
                        LockKind.LOCK,
                        (client, name) ->
                                client.lock(name).tryAcquire(LONG).orElseThrow().close()),
                new Blocking("lockInterruptibly", LockKind.LOCK, (client, name) -> {
                    client.lock(name).lockInterruptibly();
                    client.lock(name).unlock();
                }),
                new Blocking("tryLock", LockKind.LOCK, (client, name) -> {
                    assertThat(client.lock(name).tryLock(1, TimeUnit.MINUTES)).isTrue();
                    client.lock(name).unlock();
                }),
                new Blocking("tryLock with a lease", LockKind.LOCK, (client, name) -> {
                    assertThat(client.lock(name).tryLock(LONG, LONG)).isTrue();
                    client.lock(name).unlock();
                }),
                new Blocking(
                        "read",
                        LockKind.READ_WRITE,
                        (client, name) -> client.readWriteLock(name)
                                .readLock()
                                .acquireInterruptibly()
                                .close()),
                new Blocking("write", LockKind.READ_WRITE, (client, name) -> {
                    client.readWriteLock(name).writeLock().lockInterruptibly();
                    client.readWriteLock(name).writeLock().unlock();
                }),
                new Blocking(
                        "semaphore acquireInterruptibly",
                        LockKind.SEMAPHORE,
                        (client, name) ->
                                client.semaphore(name, 3).acquireInterruptibly().close()),
                new Blocking(
                        "semaphore tryAcquire",
                        LockKind.SEMAPHORE,
                        (client, name) -> client.semaphore(name, 3)
                                .taking(2)
                                .tryAcquire(LONG)
                                .orElseThrow()
                                .close()),
                new Blocking(
                        "multi acquireInterruptibly",
                        LockKind.LOCK,
                        (client, name) ->
                                several(client, name).acquireInterruptibly().close()),
                new Blocking(
                        "multi tryAcquire",
                        LockKind.LOCK,
                        (client, name) -> several(client, name)
                                .tryAcquire(LONG)
                                .orElseThrow()
                                .close()),
                new Blocking("multi lockInterruptibly", LockKind.LOCK, (client, name) -> {
                    several(client, name).lockInterruptibly();
                    several(client, name).unlock();
                }),
                new Blocking("multi tryLock", LockKind.LOCK, (client, name) -> {
                    assertThat(several(client, name).tryLock(1, TimeUnit.MINUTES))
                            .isTrue();
                    several(client, name).unlock();
                }),
                new Blocking(
                        "latch await",
                        LockKind.LATCH,
                        (client, name) -> client.latch(name, 1).await()),
                new Blocking(
                        "latch await with a bound",
                        LockKind.LATCH,
                        (client, name) ->
                                assertThat(client.latch(name, 1).await(LONG)).isTrue()));
    }

    private static List<Blocking> enduring() {
        return List.of(
                new Blocking(
                        "acquire",
                        LockKind.LOCK,
                        (client, name) -> client.lock(name).acquire().close()),
                new Blocking(
                        "acquire, FIFO",
                        LockKind.LOCK,
                        (client, name) -> fifo(client, name).acquire().close()),
                new Blocking("lock", LockKind.LOCK, (client, name) -> {
                    client.lock(name).lock();
                    client.lock(name).unlock();
                }),
                new Blocking(
                        "read",
                        LockKind.READ_WRITE,
                        (client, name) ->
                                client.readWriteLock(name).readLock().acquire().close()),
                new Blocking(
                        "semaphore acquire",
                        LockKind.SEMAPHORE,
                        (client, name) -> client.semaphore(name, 3).acquire(2).close()),
                new Blocking(
                        "multi acquire",
                        LockKind.LOCK,
                        (client, name) -> several(client, name).acquire().close()),
                new Blocking("multi lock", LockKind.LOCK, (client, name) -> {
                    several(client, name).lock();
                    several(client, name).unlock();
                }));
    }

    private static DistributedLock fifo(LockClient client, String name) {
        return client.lock(name, LockOptions.defaults().fairness(Fairness.FIFO));
    }

    private static MultiLock several(LockClient client, String name) {
        return client.allOf(name + AFTER, BEFORE + name, name);
    }

    @Test
    void interrupt_whileWaiting_throwsAndLeavesNothingBehind() throws Exception {
        LockClient holder = client();
        LockClient other = client();
        for (Blocking blocking : throwing()) {
            for (LockClient client : List.of(holder, other)) {
                String name = name("interrupted " + blocking.what());
                AutoCloseable held = blocking.heldBy(holder, name);
                Crew.Hand<Boolean> waiter =
                        crew().run(blocking.what(), () -> blocking.use().by(client, name));
                awaitBlocked(blocking, client == holder, name, waiter);

                waiter.interrupt();

                assertThat(waiter.failure()).as(blocking.what()).isInstanceOf(InterruptedException.class);
                awaitWaiting(blocking.kind(), name, 0);
                held.close();
                assertThat(blocking.isFree(stranger(), name, patience()))
                        .as("%s is free after the interrupt", blocking.what())
                        .isTrue();
                assertFree(BEFORE + name);
                assertFree(name + AFTER);
            }
        }
    }

    @Test
    void interrupt_beforeTheCall_throwsAndAcquiresNothing() throws Exception {
        LockClient client = client();
        for (Blocking blocking : throwing()) {
            String name = name("already interrupted " + blocking.what());
            Crew.Hand<Boolean> caller = crew().run(blocking.what(), () -> {
                Thread.currentThread().interrupt();
                blocking.use().by(client, name);
            });
            assertThat(caller.failure()).as(blocking.what()).isInstanceOf(InterruptedException.class);
            assertThat(blocking.isFree(stranger(), name, patience()))
                    .as("%s is free after the interrupt", blocking.what())
                    .isTrue();
            assertFree(BEFORE + name);
            assertFree(name + AFTER);
        }
    }

    @Test
    void interrupt_whileWaitingForAsLongAsItTakes_isKeptForTheCaller() throws Exception {
        LockClient holder = client();
        LockClient other = client();
        for (Blocking blocking : enduring()) {
            for (LockClient client : List.of(holder, other)) {
                String name = name("enduring " + blocking.what());
                AutoCloseable held = blocking.heldBy(holder, name);
                Crew.Hand<Boolean> waiter =
                        crew().run(blocking.what(), () -> blocking.use().by(client, name));
                awaitBlocked(blocking, client == holder, name, waiter);

                waiter.interrupt();
                always("it goes on waiting", millis(30), () -> !waiter.isDone());
                held.close();

                assertThat(waiter.result()).as(blocking.what()).isTrue();
                assertThat(waiter.flagAtEnd())
                        .as("interrupt flag after %s", blocking.what())
                        .isTrue();
                assertThat(blocking.isFree(stranger(), name, patience())).isTrue();
            }
        }
    }

    @Test
    void interrupt_beforeACallThatDoesNotThrow_isKeptForTheCaller() {
        LockClient client = client();
        String name = name("kept");
        Crew.Hand<Boolean> caller = crew().run("caller", () -> {
            Thread.currentThread().interrupt();
            client.lock(name).acquire().close();
            client.lock(name).tryAcquire().orElseThrow().close();
            client.lock(name).lock();
            client.lock(name).unlock();
            assertThat(client.lock(name).tryLock()).isTrue();
            client.lock(name).unlock();
        });
        assertThat(caller.result()).isTrue();
        assertThat(caller.flagAtEnd()).isTrue();
        assertFree(name);
    }

    /** A waiter behind a holder of its own client need not stand in the store's line. */
    private void awaitBlocked(Blocking blocking, boolean sameClient, String name, Crew.Hand<?> waiter) {
        soon(blocking.what() + " waits").until(waiter::isParked);
        if (fixture().keepsLine() && !sameClient) {
            awaitWaiting(blocking.kind(), name, 1);
        }
        assertThat(waiter.isDone()).as("%s returned", blocking.what()).isFalse();
    }
}
