package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the user holds.
 *
 * <p><b>States.</b> {@code HELD → CLOSED} by the user or {@code HELD → LOST} by whoever first sees that it is over: the watchdog, or any question about
 * validity. One compare-and-set decides, so that exactly one of "released" and "lost" is told, once. Both are final.
 *
 * <p><b>Races.</b> A callback registered while the lease is being lost: the future is published before the state is read,
 * and the state is written before the future is read, so that one of the two sides completes it.
 */
final class EngineLease implements Lease {

    /** The state, unless it is the reason for which the lease was lost. */
    private enum Phase {
        HELD,
        CLOSED
    }

    private static final VarHandle STATE;
    private static final VarHandle LOSS;
    private static final VarHandle AT_RISK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(EngineLease.class, "state", Object.class);
            LOSS = lookup.findVarHandle(EngineLease.class, "loss", CompletableFuture.class);
            AT_RISK = lookup.findVarHandle(EngineLease.class, "atRisk", CopyOnWriteArrayList.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final EngineContext context;
    private final StoreGrant hold;
    private final long token;
    private final @Nullable Thread owner;
    private final String label;
    private final long sinceNanos;

    /** How it is held; a re-entry may ask for more than the first to lock did. */
    private volatile LockOptions options;

    /** Whether there is a fixed time or a maximum hold, and when it is over, whatever the store has granted. */
    private volatile boolean hasEnd;

    private volatile long endNanos;

    private volatile Object state = Phase.HELD;
    private volatile @Nullable CompletableFuture<LostReason> loss;
    private volatile @Nullable CopyOnWriteArrayList<Runnable> atRisk;

    /** Whether the thread that owned it knows that it was lost. */
    private volatile boolean told;

    EngineLease(EngineContext context, StoreGrant hold, long token, Request request) {
        this.context = context;
        this.hold = hold;
        this.token = token;
        this.options = request.options();
        this.owner = request.owner();
        this.label = request.label();
        this.sinceNanos = context.time().nanoTime();
        long allowed = options.renewed() ? Long.MAX_VALUE : options.lease().toNanos();
        long most = options.maxHold().isPresent() ? options.maxHold().get().toNanos() : Long.MAX_VALUE;
        this.hasEnd = Math.min(allowed, most) < Long.MAX_VALUE;
        this.endNanos = sinceNanos + Math.min(allowed, most);
    }

    StoreGrant hold() {
        return hold;
    }

    @Override
    public LockKind kind() {
        return hold.claim().resource().kind();
    }

    @Override
    public String name() {
        return hold.claim().resource().name();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public String id() {
        return hold.claim().id().toString();
    }

    @Override
    public Duration remaining() {
        if (!isValid()) {
            return Duration.ZERO;
        }
        long byStore = hold.remainingNanos();
        long left = hasEnd ? Math.min(byStore, endNanos - context.time().nanoTime()) : byStore;
        return Duration.ofNanos(Math.max(0, left));
    }

    @Override
    public boolean isValid() {
        return state == Phase.HELD && !hold.loseIfPast();
    }

    @Override
    public void ensureValid() {
        if (!isValid()) {
            throw invalid();
        }
    }

    private RuntimeException invalid() {
        if (isLost()) {
            if (owner == Thread.currentThread()) {
                told();
            }
            return new LockLostException(
                    kind(),
                    name(),
                    "the lease of '" + name() + "' with token " + token + " was lost: " + reason()
                            + "; somebody else may hold it now",
                    reason());
        }
        return new IllegalStateException("the lease of '" + name() + "' with token " + token + " is closed");
    }

    @Override
    public void extend(Duration lease) {
        Duration checked = Durations.lease(lease);
        ensureValid();
        long askedNanos = context.time().nanoTime();
        if (!context.watchdog().renewNow(hold, checked)) {
            throw invalid();
        }
        if (!options.renewed()) {
            long most = options.maxHold().map(Duration::toNanos).orElse(Long.MAX_VALUE);
            long extended = Math.min(askedNanos - sinceNanos + checked.toNanos(), most);
            endNanos = sinceNanos + Math.max(endNanos - sinceNanos, extended);
        }
    }

    /**
     * A re-entry gets at least what it asks for: it is renewed if that was asked, now or before, and it has nine tenths of the lease that was asked
     * for, or one renewal gives it that. Nothing makes it shorter, and a maximum hold stays.
     */
    void atLeast(LockOptions asked) {
        LockOptions before = options;
        if (asked == before && asked.renewed()) {
            return; // what almost everybody asks for
        }
        boolean longer = asked.lease().compareTo(before.lease()) > 0;
        if (asked.renewed() && (longer || !before.renewed())) {
            extend(asked.lease());
            endNanos = before.maxHold().map(most -> sinceNanos + most.toNanos()).orElse(endNanos);
            hasEnd = before.maxHold().isPresent();
            options = before.lease(asked.lease());
            context.watchdog().watch(hold);
        } else if (!asked.renewed() && remaining().toNanos() < asked.lease().toNanos() / 10 * 9) {
            extend(asked.lease());
        }
    }

    @Override
    public void onLost(Consumer<LostReason> action) {
        Objects.requireNonNull(action, "action");
        lost().thenAcceptAsync(
                        why -> context.guarded("onLost", () -> action.accept(why)),
                        context.runtime().callbacks());
    }

    @Override
    public void onAtRisk(Runnable action) {
        Objects.requireNonNull(action, "action");
        CopyOnWriteArrayList<Runnable> actions = atRisk;
        if (actions == null) {
            AT_RISK.compareAndSet(this, null, new CopyOnWriteArrayList<Runnable>());
            actions = Objects.requireNonNull(atRisk);
        }
        actions.add(action);
    }

    @Override
    public CompletionStage<LostReason> lost() {
        return loss().thenApply(this::heard).minimalCompletionStage();
    }

    private LostReason heard(LostReason why) {
        told();
        return why;
    }

    private CompletableFuture<LostReason> loss() {
        if (loss == null) {
            LOSS.compareAndSet(this, null, new CompletableFuture<LostReason>());
        }
        CompletableFuture<LostReason> future = Objects.requireNonNull(loss);
        if (isLost()) {
            future.complete(reason());
        }
        return future;
    }

    @Override
    public void close() {
        if (state == Phase.HELD && !hold.loseIfPast()) {
            context.beginLast();
            try {
                if (STATE.compareAndSet(this, Phase.HELD, Phase.CLOSED)) {
                    context.events().released(this);
                    hold.give(heldNanos());
                }
            } finally {
                context.done();
            }
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        context.worker(hold.claim().resource()).execute(() -> {
            close();
            closed.complete(null);
        });
        if (context.isClosed()) {
            close();
            closed.complete(null);
        }
        return closed;
    }

    /** It is over, and nobody asked for it. Told once, by whoever gets true; on the callbacks' threads, never on the caller's. */
    boolean lost(LostReason why) {
        if (!STATE.compareAndSet(this, Phase.HELD, why)) {
            return false;
        }
        if (owner != null && owner.isAlive()) {
            context.untold().add(this);
        }
        context.runtime().callbacks().execute(() -> {
            CompletableFuture<LostReason> future = loss;
            if (future != null) {
                future.complete(why);
            }
            context.events().lost(this);
        });
        return true;
    }

    /** A renewal failed for the first time in a row. */
    void atRisk(RuntimeException cause) {
        CopyOnWriteArrayList<Runnable> actions = atRisk;
        context.runtime().callbacks().execute(() -> {
            context.events().atRisk(this, cause);
            if (actions != null) {
                actions.forEach(action -> context.guarded("onAtRisk", action));
            }
        });
    }

    boolean isClosed() {
        return state == Phase.CLOSED;
    }

    /** Neither closed nor lost, as far as anybody has noticed; {@link #isValid} asks the clocks. */
    boolean isHeld() {
        return state == Phase.HELD;
    }

    boolean isLost() {
        return state instanceof LostReason;
    }

    /** Means something only if it is lost. */
    LostReason reason() {
        return state instanceof LostReason why ? why : LostReason.EXPIRED;
    }

    /** Throws if the lease was lost and the thread that owned it, which asks, does not know yet. */
    void tellLoss() {
        if (isLost() && !told) {
            throw invalid();
        }
    }

    /** The thread that owned it knows of the loss, or has nothing more to unlock. */
    void told() {
        if (!told) {
            told = true;
            context.untold().remove(this);
        }
    }

    boolean isTold() {
        return told;
    }

    boolean ownerDied() {
        return owner != null && !owner.isAlive();
    }

    /** Who has it, for people. */
    String label() {
        return label;
    }

    LockOptions options() {
        return options;
    }

    Duration held() {
        return Duration.ofNanos(heldNanos());
    }

    private long heldNanos() {
        return context.time().nanoTime() - sinceNanos;
    }

    boolean hasEnd() {
        return hasEnd;
    }

    /** Means something only if there is an end. */
    long endNanos() {
        return endNanos;
    }

    /** Whether the fixed time or the maximum hold is over. */
    boolean isOverdue() {
        return hasEnd && state == Phase.HELD && endNanos - context.time().nanoTime() <= 0;
    }

    @Override
    public String toString() {
        String how = state == Phase.HELD
                ? "held, " + remaining() + " left"
                : state == Phase.CLOSED ? "closed" : "lost: " + reason();
        return "Lease of '" + name() + "' (token " + token + ", " + how + ")";
    }
}
