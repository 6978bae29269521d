package io.holdfast.engine;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.DurationText;
import io.holdfast.LeaderElection;
import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.MultiLock;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A lock client on any backend: what a backend's factory returns to its users.
 *
 * <p><b>Guarantees.</b> Those of {@link LockClient}. The client owns the backend and the runtime from here on, and
 * closes both.
 *
 * <p><b>Not guaranteed.</b> Anything that the backend does not keep of the rules of {@link LockBackend}.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> What {@link LockBackend#start} throws; the backend and the runtime are closed then.
 *
 * <pre>{@code
 * LockClient locks = LockEngine.start(store.connect(), LockOptions.defaults());
 * }</pre>
 *
 * @since 0.1
 */
public final class LockEngine implements LockClient {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final int ID_LENGTH = 16;

    /** How long somebody waits before anybody looks for a deadlock, unless something else is said. */
    public static final Duration DEFAULT_DEADLOCK_DELAY = Duration.ofSeconds(1);

    private static final Duration SHORTEST_DEADLOCK_DELAY = Duration.ofMillis(250);
    private static final Duration LONGEST_DEADLOCK_DELAY = Duration.ofMinutes(1);

    /** Also seen by tests. */
    final EngineParts parts;

    private final LockOptions defaults;
    private final LocalLocks local;
    private final Set<EngineCandidacy> candidacies;

    private LockEngine(EngineParts parts, LockOptions defaults) {
        this.parts = parts;
        this.defaults = defaults;
        this.local = new LocalLocks(parts.gates);
        this.candidacies = ConcurrentHashMap.newKeySet();
    }

    /** The same client with other defaults. */
    private LockEngine(LockEngine same, LockOptions defaults) {
        this.parts = same.parts;
        this.defaults = defaults;
        this.local = same.local;
        this.candidacies = same.candidacies;
    }

    /**
     * Starts a client with the default options.
     *
     * @param backend the store, not used by anybody else
     * @return the client
     */
    public static LockClient start(LockBackend backend) {
        return start(backend, LockOptions.defaults());
    }

    /**
     * Starts a client.
     *
     * @param backend the store, not used by anybody else
     * @param defaults how locks are held for which nothing else is said
     * @return the client
     */
    public static LockClient start(LockBackend backend, LockOptions defaults) {
        return start(backend, defaults, DEFAULT_DEADLOCK_DELAY);
    }

    /**
     * Starts a client.
     *
     * @param backend the store, not used by anybody else
     * @param defaults how locks are held for which nothing else is said
     * @param deadlockDelay see {@link #checkedDeadlockDelay}
     * @return the client
     */
    public static LockClient start(LockBackend backend, LockOptions defaults, Duration deadlockDelay) {
        checkedDeadlockDelay(deadlockDelay);
        String clientId = newId();
        EngineRuntime runtime;
        try {
            runtime = EngineRuntime.system("holdfast-" + clientId);
        } catch (Throwable noThreads) {
            backend.close();
            throw noThreads;
        }
        return start(clientId, backend, defaults, runtime, deadlockDelay);
    }

    /**
     * Checks how long somebody waits before anybody looks for a deadlock, and about how long it is from one look to the
     * next.
     *
     * @param delay 250 ms to a minute, or zero to look for none
     * @return the same
     * @throws IllegalArgumentException if it is something else
     */
    public static Duration checkedDeadlockDelay(Duration delay) {
        boolean fits = delay.compareTo(SHORTEST_DEADLOCK_DELAY) >= 0 && delay.compareTo(LONGEST_DEADLOCK_DELAY) <= 0;
        if (!fits && !delay.isZero()) {
            throw new IllegalArgumentException("deadlockDelay is " + DurationText.of(delay) + ", expected "
                    + DurationText.of(SHORTEST_DEADLOCK_DELAY) + " to " + DurationText.of(LONGEST_DEADLOCK_DELAY)
                    + ", or zero to look for no deadlocks");
        }
        return delay;
    }

    /**
     * Starts a client with clocks and threads that the caller provides.
     *
     * @param backend the store, not used by anybody else
     * @param defaults how locks are held for which nothing else is said
     * @param runtime time, threads and chance, not used by anybody else
     * @return the client
     */
    public static LockClient start(LockBackend backend, LockOptions defaults, EngineRuntime runtime) {
        return start(newId(), backend, defaults, runtime);
    }

    static LockEngine start(String clientId, LockBackend backend, LockOptions defaults, EngineRuntime runtime) {
        return start(clientId, backend, defaults, runtime, DEFAULT_DEADLOCK_DELAY);
    }

    static LockEngine start(
            String clientId, LockBackend backend, LockOptions defaults, EngineRuntime runtime, Duration deadlockDelay) {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(defaults, "defaults");
        EngineParts parts = new EngineParts(clientId, backend, runtime, checkedDeadlockDelay(deadlockDelay));
        LockEngine engine = new LockEngine(parts, defaults);
        try {
            engine.parts.store.start(clientId, engine.parts.announcements);
            return engine;
        } catch (RuntimeException failure) {
            closeQuietly(failure, backend::close);
            closeQuietly(failure, runtime::close);
            throw failure;
        }
    }

    private static void closeQuietly(RuntimeException failure, Runnable closing) {
        try {
            closing.run();
        } catch (RuntimeException second) {
            failure.addSuppressed(second);
        }
    }

    private static String newId() {
        StringBuilder id = new StringBuilder(ID_LENGTH);
        RANDOM.ints(ID_LENGTH, 0, ID_LETTERS.length()).forEach(i -> id.append(ID_LETTERS.charAt(i)));
        return id.toString();
    }

    @Override
    public LockClient withDefaults(LockOptions options) {
        parts.life.ensureOpen();
        return new LockEngine(this, Objects.requireNonNull(options, "options"));
    }

    @Override
    public LockOptions defaults() {
        return defaults;
    }

    @Override
    public String id() {
        return parts.life.clientId();
    }

    @Override
    public DistributedLock lock(String name) {
        return lock(name, defaults);
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        return mutex(name, options);
    }

    private EngineLock mutex(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        return EngineLock.mutex(parts.acquisitions, local(LockKind.LOCK, name, 1), options);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, defaults);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        return new EngineReadWriteLock(
                parts.acquisitions, local(LockKind.READ_WRITE, name, Resource.ALL_READERS), options);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return semaphore(name, permits, defaults);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        Objects.requireNonNull(options, "options");
        return opened(name, checked -> {
            Resource all = new Resource(LockKind.SEMAPHORE, checked, EngineSemaphore.checked("permits", permits));
            return new EngineSemaphore(parts.acquisitions, local.of(all), options);
        });
    }

    @Override
    public MultiLock allOf(Collection<String> names) {
        return allOf(names, defaults);
    }

    @Override
    public MultiLock allOf(Collection<String> names, LockOptions options) {
        Objects.requireNonNull(names, "names");
        if (names.isEmpty()) {
            throw new IllegalArgumentException("names is empty, expected at least one name to lock");
        }
        names.forEach(Names::checked);
        List<EngineLock> locks = new ArrayList<>(names.size());
        new TreeSet<>(names).forEach(name -> locks.add(mutex(name, options)));
        return new EngineMultiLock(locks, parts.runtime.time());
    }

    @Override
    public LeaderElection election(String name) {
        return election(name, defaults);
    }

    @Override
    public LeaderElection election(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        return opened(name, checked -> new EngineElection(parts.acquisitions, checked, options, candidacies));
    }

    @Override
    public DistributedLatch latch(String name, int count) {
        return opened(
                name,
                checked -> new EngineLatch(
                        parts.acquisitions, parts.claims, checked, count, defaults.waitThroughOutages()));
    }

    private LocalLock local(LockKind kind, String name, int capacity) {
        return opened(name, checked -> local.of(new Resource(kind, checked, capacity)));
    }

    private <T> T opened(String name, Function<String, T> open) {
        parts.life.ensureOpen();
        return open.apply(Names.checked(name));
    }

    @Override
    public Optional<Duration> longestCloseAfter() {
        return parts.keeping.longest();
    }

    @Override
    public LockInspector inspector() {
        parts.life.ensureOpen();
        return new EngineInspector(parts.acquisitions, local, parts.survey);
    }

    @Override
    public void addListener(LockListener listener) {
        parts.events.add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void removeListener(LockListener listener) {
        parts.events.remove(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void close() {
        new Shutdown(parts, candidacies).run();
    }

    /** What a test looks at to see that nothing was left behind. */
    int leftovers() {
        return parts.leftovers();
    }

    @Override
    public String toString() {
        return "LockClient " + id();
    }
}
