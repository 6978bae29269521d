package io.holdfast.engine;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store that answers what the test says and writes down what it was asked. Left alone it grants everything to
 * everybody, for the lease that was asked for, with tokens that grow.
 */
final class ScriptedBackend implements LockBackend {

    /** One call of the engine, at a time of the engine's monotonic clock. */
    sealed interface Call {
        record Attempt(Claim claim, Duration patience, long atNanos) implements Call {}

        record Release(Claim claim, long atNanos) implements Call {}

        record Renew(List<Renewal> renewals, long atNanos) implements Call {
            List<ClaimId> ids() {
                return renewals.stream().map(renewal -> renewal.claim().id()).toList();
            }
        }

        record Close() implements Call {}
    }

    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private final TimeSource time;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Queue<Function<Claim, AttemptResult>> nextAttempts = new ConcurrentLinkedQueue<>();
    private final Queue<Function<Claim, Boolean>> nextReleases = new ConcurrentLinkedQueue<>();
    private final Queue<Function<List<Renewal>, List<RenewResult>>> nextRenewals = new ConcurrentLinkedQueue<>();
    private final AtomicLong tokens = new AtomicLong();

    /** Claims that were answered and not released since. */
    private final Set<ClaimId> known = ConcurrentHashMap.newKeySet();

    private volatile Function<Claim, AttemptResult> attempt = this::grant;
    private volatile Function<Claim, Boolean> release = claim -> true;
    private volatile Function<List<Renewal>, List<RenewResult>> renew = ScriptedBackend::renewAll;
    private volatile Function<Resource, Optional<ResourceView>> inspect = resource -> Optional.empty();
    private volatile Runnable onStart = () -> {};
    private volatile Runnable onClose = () -> {};
    private volatile Function<String, Optional<ClientView>> client = id -> Optional.empty();
    private volatile Function<String, Optional<String>> waits = id -> Optional.empty();
    private volatile Consumer<WaitRecord> publish = record -> {};
    private volatile @Nullable String storeId;
    private volatile List<String> clients = List.of();
    private final List<WaitRecord> published = new CopyOnWriteArrayList<>();
    private final AtomicLong looks = new AtomicLong();
    private volatile BackendListener listener;
    private volatile boolean outlivesClient = true;
    private Optional<Duration> longestLease = Optional.empty();

    ScriptedBackend(TimeSource time) {
        this.time = time;
    }

    /** A store that gives no longer lease. */
    ScriptedBackend(TimeSource time, Duration longestLease) {
        this(time);
        this.longestLease = Optional.of(longestLease);
    }

    /** From now on it gives no longer lease. */
    void limit(Duration longest) {
        longestLease = Optional.of(longest);
    }

    // ---- the script

    ScriptedBackend attempts(Function<Claim, AttemptResult> answer) {
        attempt = answer;
        return this;
    }

    /** The answer to the next attempt that has none yet; after those comes the general one. */
    ScriptedBackend nextAttempt(Function<Claim, AttemptResult> answer) {
        nextAttempts.add(answer);
        return this;
    }

    ScriptedBackend releases(Function<Claim, Boolean> answer) {
        release = answer;
        return this;
    }

    ScriptedBackend nextRelease(Function<Claim, Boolean> answer) {
        nextReleases.add(answer);
        return this;
    }

    ScriptedBackend renewals(Function<List<Renewal>, List<RenewResult>> answer) {
        renew = answer;
        return this;
    }

    ScriptedBackend nextRenewal(Function<List<Renewal>, List<RenewResult>> answer) {
        nextRenewals.add(answer);
        return this;
    }

    ScriptedBackend inspections(Function<Resource, Optional<ResourceView>> answer) {
        inspect = answer;
        return this;
    }

    ScriptedBackend clients(Function<String, Optional<ClientView>> answer) {
        client = answer;
        return this;
    }

    void clients(String... ids) {
        clients = List.of(ids);
    }

    @Override
    public List<String> clients() {
        return clients;
    }

    void storeId(String id) {
        storeId = id;
    }

    @Override
    public Optional<String> storeId() {
        return Optional.ofNullable(storeId);
    }

    ScriptedBackend waits(Function<String, Optional<String>> answer) {
        waits = answer;
        return this;
    }

    /** What happens when the engine shows who waits, beside that it is written down. */
    ScriptedBackend publications(Consumer<WaitRecord> action) {
        publish = action;
        return this;
    }

    ScriptedBackend onStart(Runnable action) {
        onStart = action;
        return this;
    }

    ScriptedBackend onClose(Runnable action) {
        onClose = action;
        return this;
    }

    /** What a client holds ends with it from now on. */
    void endsWithClient() {
        outlivesClient = false;
    }

    /** Grants what was asked for, with the next tokens. */
    AttemptResult.Granted grant(Claim claim) {
        return grant(claim, claim.lease());
    }

    AttemptResult.Granted grant(Claim claim, Duration left) {
        return new AttemptResult.Granted(takeTokens(claim), left);
    }

    /** The first token of the claim's block. */
    long takeTokens(Claim claim) {
        return tokens.getAndAdd(claim.tokens()) + 1;
    }

    static Function<Claim, AttemptResult> queued(int place, Duration left) {
        return claim -> new AttemptResult.Queued(place, left, true);
    }

    static Function<Claim, AttemptResult> busy() {
        return claim -> new AttemptResult.Busy(Duration.ofSeconds(10));
    }

    static List<RenewResult> renewAll(List<Renewal> renewals) {
        List<RenewResult> results = new ArrayList<>();
        renewals.forEach(renewal -> results.add(new RenewResult.Renewed(renewal.lease())));
        return results;
    }

    static <A, B> Function<A, B> down() {
        return question -> {
            throw new IllegalStateException("connection reset");
        };
    }

    // ---- the record

    List<Call> calls() {
        return List.copyOf(calls);
    }

    List<Call.Attempt> attempts() {
        return calls(Call.Attempt.class);
    }

    List<Call.Release> releases() {
        return calls(Call.Release.class);
    }

    List<Call.Renew> renewals() {
        return calls(Call.Renew.class);
    }

    private <T extends Call> List<T> calls(Class<T> kind) {
        return calls.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    int closings() {
        return calls(Call.Close.class).size();
    }

    /** The claim of the attempt with this number, counted from zero. */
    Claim claim(int attempt) {
        return attempts().get(attempt).claim();
    }

    /** How often the claim was released. */
    long releasesOf(Claim claim) {
        return releases().stream()
                .filter(call -> call.claim().id().equals(claim.id()))
                .count();
    }

    /** Claims that were granted or got a place, and not released since. */
    Set<ClaimId> known() {
        return Set.copyOf(known);
    }

    /** What the engine has shown of who waits. */
    List<WaitRecord> published() {
        return List.copyOf(published);
    }

    /** How often the engine looked at a resource or at who waits in a client. */
    long looks() {
        return looks.get();
    }

    BackendListener listener() {
        return listener;
    }

    /** Serves a waiting claim by message. */
    void push(Claim claim, long token, Duration left, long startNanos) {
        known.add(claim.id());
        listener.granted(claim.id(), token, left, startNanos);
    }

    // ---- the store

    @Override
    public void start(String clientId, BackendListener engine) {
        listener = engine;
        onStart.run();
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        calls.add(new Call.Attempt(claim, patience, time.nanoTime()));
        Function<Claim, AttemptResult> next = nextAttempts.poll();
        AttemptResult result = (next == null ? attempt : next).apply(claim);
        if (result instanceof AttemptResult.Granted || result instanceof AttemptResult.Queued) {
            known.add(claim.id());
        }
        return result;
    }

    @Override
    public boolean release(Claim claim) {
        calls.add(new Call.Release(claim, time.nanoTime()));
        Function<Claim, Boolean> next = nextReleases.poll();
        boolean result = (next == null ? release : next).apply(claim);
        known.remove(claim.id());
        return result;
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        calls.add(new Call.Renew(List.copyOf(renewals), time.nanoTime()));
        Function<List<Renewal>, List<RenewResult>> next = nextRenewals.poll();
        return (next == null ? renew : next).apply(renewals);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        looks.incrementAndGet();
        return inspect.apply(resource);
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        return client.apply(clientId);
    }

    @Override
    public void publishWaits(WaitRecord record) {
        published.add(record);
        publish.accept(record);
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        looks.incrementAndGet();
        return waits.apply(clientId);
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        return Stream.empty();
    }

    @Override
    public Optional<Duration> longestLease() {
        return longestLease;
    }

    @Override
    public boolean outlivesClient() {
        return outlivesClient;
    }

    @Override
    public Duration requestTimeout() {
        return REQUEST_TIMEOUT;
    }

    @Override
    public void close() {
        calls.add(new Call.Close());
        onClose.run();
    }
}
