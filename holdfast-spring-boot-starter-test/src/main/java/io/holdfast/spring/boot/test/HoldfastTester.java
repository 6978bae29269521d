package io.holdfast.spring.boot.test;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.holdfast.LockStatus;
import io.holdfast.spring.boot.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rest of the fleet, for a test: somebody who holds locks elsewhere, somebody who takes them away, and questions
 * about who holds what.
 *
 * <p><b>Threads.</b> For the thread of the test.
 *
 * <p><b>Failures.</b> {@link AssertionError} for what is not as the test says.
 *
 * @since 0.1
 */
public final class HoldfastTester implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Supplier<LockClient> application;
    private final Supplier<LockStore> store;
    private final OpenLeases open;
    private @Nullable LockClient elsewhere;

    HoldfastTester(Supplier<LockClient> application, Supplier<LockStore> store, OpenLeases open) {
        this.application = application;
        this.store = store;
        this.open = open;
    }

    /**
     * Returns a client of another process on the same store.
     *
     * @return the same one until the test method ends; closed by itself
     */
    public LockClient elsewhere() {
        LockClient known = elsewhere;
        if (known == null) {
            known = store.get().another();
            elsewhere = known;
        }
        return known;
    }

    /**
     * Holds a lock in another process.
     *
     * @param name which lock; it must be free
     * @return the lease, given back by itself at the end of the test method
     */
    public Lease hold(String name) {
        return elsewhere()
                .lock(name)
                .tryAcquire()
                .orElseThrow(() -> new AssertionError("lock '" + name + "' is held already: " + seen(name)));
    }

    /**
     * Takes a lock away from the application, and waits until it was told.
     *
     * @param name which lock; the application must hold it
     */
    public void lose(String name) {
        LockStatus lock = find(LockKind.LOCK, name)
                .orElseThrow(() -> new AssertionError("lock '" + name + "' cannot be lost: nobody holds it"));
        LockStatus.Holder holder = lock.holders().stream()
                .filter(this::isOurs)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "lock '" + name + "' cannot be lost: the application does not hold it; " + seen(name)));
        if (!breakAndTell(lock, holder)) {
            throw new AssertionError("lock '" + name + "' was broken, and its holder was not told within " + SOON);
        }
    }

    /** Returns whether the holder was told. */
    private boolean breakAndTell(LockStatus lock, LockStatus.Holder holder) {
        CountDownLatch told = new CountDownLatch(1);
        LockListener listener = event -> {
            if (event instanceof LockEvent.Lost
                    && event.kind() == lock.kind()
                    && event.name().equals(lock.name())) {
                told.countDown();
            }
        };
        LockClient client = application.get();
        client.addListener(listener);
        try {
            client.inspector().breakClaim(lock, holder);
            return told.await(SOON.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the holder of '" + lock.name() + "' was told", interrupted);
        } finally {
            client.removeListener(listener);
        }
    }

    /**
     * Checks that the application holds a lock.
     *
     * @param name which lock
     */
    public void assertHeld(String name) {
        boolean held = find(LockKind.LOCK, name).stream()
                .flatMap(lock -> lock.holders().stream())
                .anyMatch(this::isOurs);
        if (!held) {
            throw new AssertionError("lock '" + name + "' is not held by the application: " + seen(name));
        }
    }

    /**
     * Checks that nobody holds a lock.
     *
     * @param name which lock
     */
    public void assertFree(String name) {
        if (find(LockKind.LOCK, name).stream().anyMatch(lock -> !lock.holders().isEmpty())) {
            throw new AssertionError("lock '" + name + "' is held: " + seen(name));
        }
    }

    private Optional<LockStatus> find(LockKind kind, String name) {
        return application.get().inspector().find(kind, name);
    }

    private boolean isOurs(LockStatus.Claimant claimant) {
        return claimant.client().id().equals(application.get().id());
    }

    private String seen(String name) {
        return find(LockKind.LOCK, name)
                .map(lock -> "held by " + labels(lock.holders()) + ", " + lock.waiting() + " waiting")
                .orElse("nobody holds it");
    }

    private List<String> labels(List<LockStatus.Holder> holders) {
        return holders.stream()
                .map(each -> (isOurs(each) ? "the application (" : "another process (") + each.label() + ")")
                .toList();
    }

    /**
     * Gives back what was held elsewhere, and what the application left behind. What it gave back, and what stays taken
     * only for a least time, was not left behind.
     *
     * @return what the application left behind
     */
    List<String> cleanUp() {
        close();
        List<Left> left = left();
        for (long waited = 0; waited <= GRACE.toNanos() && isHeld(left); waited += LOOK_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS); // what ends without a thread may be on its way
            left = left();
        }
        List<String> behind = new ArrayList<>();
        for (Left each : left) {
            if (each.held()) {
                breakAndTell(each.lock(), each.holder());
                behind.add(each.lock().kind() + " '" + each.lock().name() + "', " + labels(List.of(each.holder())));
            } else {
                application.get().inspector().breakClaim(each.lock(), each.holder());
            }
        }
        behind.sort(null);
        return behind;
    }

    /** What the store has of the application; {@code held} if the application has it, too. */
    private record Left(LockStatus lock, LockStatus.Holder holder, boolean held) {}

    private List<Left> left() {
        List<Left> left = new ArrayList<>();
        try (Stream<LockStatus> all = application.get().inspector().list("")) {
            all.filter(HoldfastTester::isGivenBack)
                    .forEach(lock -> lock.holders().stream()
                            .filter(this::isOurs)
                            .forEach(holder -> left.add(new Left(lock, holder, open.has(lock)))));
        }
        return left;
    }

    private static boolean isHeld(List<Left> left) {
        return left.stream().anyMatch(Left::held);
    }

    /** Elections and latches go on after a test method. */
    private static boolean isGivenBack(LockStatus lock) {
        return lock.kind() != LockKind.ELECTION && lock.kind() != LockKind.LATCH;
    }

    /** Ends the other process, if there is one. */
    @Override
    public void close() {
        LockClient known = elsewhere;
        elsewhere = null;
        if (known != null) {
            known.close();
        }
    }
}
