package io.holdfast.engine;

import io.holdfast.DurationText;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the user holds.
 *
 * <p><b>States.</b> {@code HELD → CLOSED} by the user or {@code HELD → LOST} by whoever first notices that it is over:
 * the watchdog, or a question about validity. One compare-and-set decides, so that exactly one of "released" and "lost"
 * is told, once. Both are final. A question only marks the loss; {@link Endings} does what follows from it.
 *
 * <p><b>Races.</b> A callback registered while the lease is being lost: the future is published before the state is
 * read, and the state is written before the future is read, so that one of the two sides completes it.
 */
final class EngineLease extends LeaseOfGrant implements Lease, CurrentLease, Untold.Loss {

    /** The state, unless it is the reason for which the lease was lost. */
    private enum Phase {
        HELD,
        CLOSED
    }

    private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", Object.class);
    private static final VarHandle WISHES = Fields.of(MethodHandles.lookup(), "wishes", Wishes.class);
    private static final VarHandle ASKED = Fields.of(MethodHandles.lookup(), "asked", boolean.class);
    private static final VarHandle ANNOUNCED = Fields.of(MethodHandles.lookup(), "announced", boolean.class);

    private final LeaseServices services;

    private volatile Object state = Phase.HELD;
    private volatile @Nullable Wishes wishes;

    /** Whether the thread that owned it knows that it was lost. */
    private volatile boolean told;

    /** Whether its user was told of the loss. */
    @SuppressWarnings("UnusedVariable") // through its handle
    private volatile boolean announced;

    /** Whether its user has been told that it is over, or wants to be. */
    private volatile boolean asked;

    /** Whether the log says that it is at risk; touched by the threads that renew, and once too often does no harm. */
    private volatile boolean riskLogged;

    EngineLease(LeaseServices services, StoreGrant grant, long token, Request request) {
        super(grant, token, request, services.time().nanoTime());
        this.services = services;
    }

    // ---- is it still good?

    @Override
    public Duration remaining() {
        if (!isValid()) {
            return Duration.ZERO;
        }
        long left = leftNanos(grant.remainingNanos(), services.time().nanoTime());
        return Duration.ofNanos(Math.max(0, left));
    }

    @Override
    public boolean isValid() {
        boolean valid = isGood();
        if (!valid) {
            asked = true;
        }
        return valid;
    }

    private boolean isGood() {
        return isHeld() && !isOver();
    }

    /** Whether its time is up. If so it is marked as lost: it stays lost, even if somebody sets the clock back. */
    private boolean isOver() {
        LostReason why = grant.overBecause(this);
        if (why != null && STATE.compareAndSet(this, Phase.HELD, why)) {
            services.endings().noticed(grant, this, why);
        }
        return why != null;
    }

    @Override
    public void ensureValid() {
        if (!isValid()) {
            throw invalid();
        }
    }

    private RuntimeException invalid() {
        if (isLost()) {
            if (owned && thread == Thread.currentThread()) {
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

    /** Neither closed nor lost, as far as anybody has noticed; {@link #isValid} asks the clocks. */
    boolean isHeld() {
        return state == Phase.HELD;
    }

    @Override
    public boolean isClosed() {
        return state == Phase.CLOSED;
    }

    @Override
    public boolean isLost() {
        return state instanceof LostReason;
    }

    /** Means something only if it is lost. */
    private LostReason reason() {
        return state instanceof LostReason why ? why : LostReason.EXPIRED;
    }

    // ---- making it last longer

    @Override
    public void extend(Duration lease) {
        Duration checked = services.store().limit().checked(grant.claim().resource(), Durations.lease(lease));
        ensureValid();
        long askedNanos = services.time().nanoTime();
        boolean renewed = services.watchdog().renewNow(grant, checked);
        extended(askedNanos, checked);
        if (!renewed || !isHeld()) { // it may have ended alone
            throw invalid();
        }
    }

    /**
     * A re-entry gets at least what it asks for: it is renewed if that was asked, now or before, and it has nine tenths
     * of the lease that was asked for, or one renewal gives it that. Nothing makes it shorter, and a maximum hold
     * stays.
     */
    void atLeast(LockOptions asked) {
        LockOptions before = options();
        if (asked.equals(before) && asked.renewed()) {
            return; // what almost everybody asks for
        }
        boolean longer = asked.lease().compareTo(before.lease()) > 0;
        if (asked.renewed() && (longer || !before.renewed())) {
            extend(asked.lease());
            renewedWith(asked.lease());
            services.watchdog().watch(grant);
        } else if (!asked.renewed() && remaining().toNanos() < asked.lease().toNanos() / 10 * 9) {
            extend(asked.lease());
        }
    }

    // ---- giving it back

    @Override
    public void close() {
        giveBack();
        if (isLost() && !told && !asked && ASKED.compareAndSet(this, false, true)) {
            services.log().closedLate(this, reason());
        }
    }

    @Override
    public void giveBack() {
        if (isGood()) {
            services.life().beginLast();
            try {
                long heldNanos = heldNanos(services.time().nanoTime());
                if (markClosed(heldNanos)) {
                    grant.owner().returned(grant, this, heldNanos);
                }
            } finally {
                services.life().done();
            }
        }
    }

    private boolean markClosed(long heldNanos) {
        boolean first = STATE.compareAndSet(this, Phase.HELD, Phase.CLOSED);
        if (first) {
            Flight.held(flight, this, "released");
            services.events().released(this, Duration.ofNanos(heldNanos));
        }
        return first;
    }

    @Override
    public void closeAfter(Duration time) {
        Duration checked = services.keeping().checked(grant.claim().resource(), time);
        ensureValid();
        if (checked.isZero()) {
            close();
            return;
        }
        services.life().beginLast();
        try {
            long nowNanos = services.time().nanoTime();
            RuntimeException trouble = services.keeping().prolong(grant, checked);
            long heldNanos = heldNanos(nowNanos);
            if (!isValid() || !markClosed(heldNanos)) {
                throw invalid();
            }
            grant.keepUntil(nowNanos + checked.toNanos());
            grant.owner().returned(grant, this, heldNanos);
            if (trouble != null) {
                throw trouble;
            }
        } finally {
            services.life().done();
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return services.closings().start(services.store().worker(grant.claim().resource()), this::close);
    }

    // ---- losing it

    @Override
    public CompletionStage<LostReason> lost() {
        asked = true;
        return loss().whenComplete((why, impossible) -> told()).minimalCompletionStage();
    }

    private CompletableFuture<LostReason> loss() {
        CompletableFuture<LostReason> future = wishes().loss();
        if (isLost()) {
            future.complete(reason());
        }
        return future;
    }

    private Wishes wishes() {
        if (wishes == null) {
            WISHES.compareAndSet(this, null, new Wishes());
        }
        return Objects.requireNonNull(wishes);
    }

    @Override
    public void onLost(Consumer<LostReason> action) {
        Objects.requireNonNull(action, "action");
        lost().thenAcceptAsync(
                        why -> services.callbacks().guarded("onLost", () -> action.accept(why)), services.callbacks());
    }

    @Override
    public void onAtRisk(Runnable action) {
        Objects.requireNonNull(action, "action");
        wishes().atRisk().add(action);
    }

    @Override
    public void markLost(LostReason why) {
        STATE.compareAndSet(this, Phase.HELD, why);
    }

    @Override
    public void tellLost() {
        if (!isLost() || !ANNOUNCED.compareAndSet(this, false, true)) {
            return;
        }
        if (owned && thread != null && thread.isAlive()) {
            services.untold().add(this);
        }
        long heldNanos = heldNanos(services.time().nanoTime());
        services.callbacks().execute(() -> {
            services.log().lost(this, reason(), heldNanos);
            Flight.held(flight, this, "lost");
            Flight.lost(this, reason(), heldNanos);
            Wishes known = wishes;
            if (known != null) {
                known.loss().complete(reason());
            }
            services.events().lost(this, reason());
        });
    }

    /**
     * Its grant ended while it was made: nobody gets it and nobody is told. False if its loss may have been told: then
     * it is handed out all the same.
     */
    boolean withdraw() {
        boolean withdrawn = STATE.compareAndSet(this, Phase.HELD, Phase.CLOSED);
        if (!withdrawn) {
            tellLost();
        }
        return withdrawn;
    }

    /** Throws if the lease was lost and the thread that owned it, which asks, does not know yet. */
    void tellOwner() {
        if (isLost() && !told) {
            throw invalid();
        }
    }

    /** The thread that owned it knows of the loss, or has nothing more to unlock. */
    void told() {
        if (!told) {
            told = true;
            services.untold().remove(this);
        }
    }

    @Override
    public boolean isTold() {
        return told;
    }

    @Override
    public boolean ownerDied() {
        return owned && thread != null && !thread.isAlive();
    }

    // ---- what the grant asks

    @Override
    public Duration renewal() {
        return !options().renewed() || isLost() || ownerDied()
                ? Duration.ZERO
                : options().lease();
    }

    @Override
    public boolean isOrphaned() {
        return isHeld() && options().renewed() && ownerDied();
    }

    @Override
    public @Nullable LostReason overBecause() {
        Object now = state;
        if (now instanceof LostReason why) {
            return why;
        }
        return now == Phase.HELD && isOverdue(services.time().nanoTime()) ? overdueBecause() : null;
    }

    @Override
    public long endNanos(long byStoreNanos) {
        return isClosed() ? byStoreNanos : earliestEndNanos(byStoreNanos);
    }

    @Override
    public void renewed(long beforeNanos) {
        if (isOrphaned()) {
            orphanedUntil(beforeNanos);
        } else {
            services.events().renewed(this);
        }
    }

    @Override
    public void atRisk(RuntimeException cause) {
        Wishes known = wishes;
        services.callbacks().execute(() -> {
            if (!riskLogged) {
                riskLogged = true;
                services.log().atRisk(this, cause, heldNanos(services.time().nanoTime()));
            }
            services.events().atRisk(this, cause);
            if (known != null) {
                known.atRisk().forEach(action -> services.callbacks().guarded("onAtRisk", action));
            }
        });
    }

    @Override
    public String toString() {
        String how = isHeld()
                ? "held, " + DurationText.rounded(remaining()) + " left"
                : isClosed() ? "closed" : "lost: " + reason();
        return "Lease of '" + name() + "' (token " + token + ", " + how + ")";
    }
}
