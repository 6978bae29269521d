package io.holdfast.simulation;

import io.holdfast.Acquirable;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One wish of one user, from the question to the release. Uses only what the public interface offers, and nothing that
 * blocks.
 */
final class Operation {
    private final SimWorld world;
    private final SimClient client;
    private final Workload workload;
    private final ResourceLedger ledger;
    private final Rng rng;
    private final String label;
    private final int weight;
    private final LockOptions options;
    private final Runnable next;

    private @Nullable Duration wait;
    private long askedNanos;
    private long floor;
    private boolean ended;
    private boolean cancelled;
    private int answers;
    private int failures;
    private boolean alone = true;
    private @Nullable SimLease lease;

    Operation(SimClient client, Workload workload, ResourceLedger ledger, String label, Runnable next) {
        this.world = client.world();
        this.client = client;
        this.workload = workload;
        this.ledger = ledger;
        this.rng = client.users();
        this.label = label;
        this.next = next;
        this.weight = workload.weight(ledger.resource(), rng);
        this.options = workload.options(rng, label);
        this.wait = rng.chance(5_000) ? workload.waitTime(rng) : null;
    }

    /** Waits for as long as it takes. */
    Operation forEver() {
        wait = null;
        return this;
    }

    String label() {
        return label;
    }

    ResourceLedger ledger() {
        return ledger;
    }

    boolean isWaiting() {
        return !ended;
    }

    boolean isOver() {
        SimLease got = lease;
        return ended && (got == null || got.isOver());
    }

    /** Somebody else of this client is after the same thing, so an empty answer may come from here. */
    void notAlone() {
        alone = false;
    }

    void answered() {
        answers++;
    }

    void failed() {
        failures++;
    }

    void start() {
        askedNanos = world.now();
        ledger.asked();
        floor = ledger.floor(weight, options.fairness());
        Duration patience = wait;
        if (world.isTraced()) {
            world.trace(
                    client.name(),
                    label + " wants " + weight + " of " + ledger.resource().name() + ", "
                            + (patience == null ? "whatever it takes" : "waits " + patience) + ", " + options);
        }
        try {
            if (patience == null) {
                begin(acquirable().acquireAsync(), this::leased);
            } else {
                begin(acquirable().tryAcquireAsync(patience), this::tried);
            }
        } catch (IllegalStateException closed) {
            failed(closed);
        }
    }

    private Acquirable<Lease> acquirable() {
        Resource resource = ledger.resource();
        String name = resource.name();
        if (resource.kind() == LockKind.SEMAPHORE) {
            return client.locks().semaphore(name, resource.capacity(), options).taking(weight);
        }
        if (resource.kind() == LockKind.READ_WRITE) {
            var both = client.locks().readWriteLock(name, options);
            return weight == 1 ? both.readLock() : both.writeLock();
        }
        return client.locks().lock(name, options);
    }

    private <T> void begin(CompletableFuture<T> future, Consumer<T> success) {
        future.whenComplete((value, failure) -> {
            if (client.isKilled()) {
                return;
            }
            if (failure == null) {
                success.accept(value);
            } else {
                failed(failure);
            }
        });
        if (rng.chance(1_000)) {
            long cancelNanos = world.now() + rng.below(300 * SimWorld.MILLI);
            world.post(client.process(), cancelNanos, () -> cancel(future));
        }
    }

    private void cancel(CompletableFuture<?> future) {
        if (!ended && client.stats().isFaulty()) {
            client.stats().count(FaultKind.CANCEL);
            world.trace(client.name(), label + " is cancelled");
            cancelled = true;
            future.cancel(true);
        }
    }

    private void tried(Optional<Lease> got) {
        if (got.isPresent()) {
            leased(got.get());
            return;
        }
        if (hasOwnClaim() && failures > 0 && answers == 0) {
            world.violated(
                    Rule.OUTAGE_IS_NOT_BUSY,
                    label + " of " + client.name() + " met " + failures + " failures and no answer, and ended empty");
        }
        end(Stats.Ending.EMPTY);
    }

    private boolean hasOwnClaim() {
        return alone || options.fairness() == Fairness.FIFO;
    }

    private void failed(Throwable failure) {
        if (cancelled && failure instanceof CancellationException) {
            end(Stats.Ending.CANCELLED);
        } else if (client.isClosing() && failure instanceof IllegalStateException) {
            end(Stats.Ending.CLIENT_CLOSED);
        } else if (failure instanceof LockStoreException) {
            if (client.isCalm()) {
                world.violated(Rule.AVAILABILITY, label + " failed although nothing went wrong: " + failure);
            }
            end(Stats.Ending.FAILED);
        } else {
            world.violated(Rule.NO_SURPRISE, label + " of " + client.name() + " failed with " + failure);
            end(Stats.Ending.FAILED);
        }
    }

    private void end(Stats.Ending ending) {
        if (ended) {
            world.violated(Rule.NO_SURPRISE, label + " of " + client.name() + " ended twice");
            return;
        }
        ended = true;
        client.stats().ended(ending);
        client.stats().waited(world.now() - askedNanos);
        ledger.answered();
        // Who waits while a client closes is told in the order of a hash set: neither the trace nor chance may see
        // that.
        if (ending != Stats.Ending.CLIENT_CLOSED) {
            if (world.isTraced()) {
                world.trace(client.name(), label + ": " + ending);
            }
            if (ending != Stats.Ending.LEASED) {
                next.run();
            }
        }
    }

    /** The process is dead: nobody waits any more. */
    void died() {
        if (!ended) {
            ended = true;
            client.stats().ended(Stats.Ending.CLIENT_KILLED);
            ledger.answered();
        }
    }

    // ---- with a lease

    private void leased(Lease got) {
        SimLease mine = new SimLease(client, label, got, weight, this::lost);
        lease = mine;
        mine.listen();
        if (world.isTraced()) {
            world.trace(client.name(), label + " gets token " + got.token());
        }
        end(Stats.Ending.LEASED);
        ledger.handedOut(mine, floor);
        checkLength(got);
        long untilNanos = world.now() + workload.holdNanos(rng, options);
        if (rng.chance(3_000)) {
            later(rng.between(world.now(), untilNanos), mine::ask);
        }
        if (rng.chance(1_000)) {
            later(rng.between(world.now(), untilNanos), () -> extend(mine));
        }
        if (client.sabotage() == Sabotage.THIEF) {
            later(rng.between(world.now(), untilNanos), got::close);
        }
        later(untilNanos, () -> close(mine));
    }

    private void later(long atNanos, Runnable action) {
        world.post(client.process(), atNanos, action);
    }

    /** Where clocks are left alone, a fixed lease lasts nearly as long as was asked for. */
    private void checkLength(Lease got) {
        if (client.isCalm() && !options.renewed() && options.maxHold().isEmpty()) {
            long least = options.lease().toNanos() / 100 * 85 - 12 * SimWorld.MILLI;
            if (got.remaining().toNanos() < least) {
                world.violated(Rule.AVAILABILITY, label + " asked for " + options + " and got " + got.remaining());
            }
        }
    }

    private void extend(SimLease mine) {
        if (mine.isOver() || client.isClosing()) {
            return;
        }
        Duration longer = workload.extension(rng);
        world.trace(client.name(), "extends " + label);
        long startNanos = client.process().clocks().nanoTime();
        try {
            mine.lease().extend(longer);
            checkExtended(mine, longer, client.process().clocks().nanoTime() - startNanos);
        } catch (LockLostException | LockStoreException trouble) {
            if (client.isCalm() && options.renewed() && options.maxHold().isEmpty()) {
                world.violated(Rule.AVAILABILITY, mine + " could not be extended: " + trouble);
            }
        } catch (IllegalStateException closed) {
            if (!mine.isOver()) {
                world.violated(Rule.NO_SURPRISE, mine + " could not be extended: " + closed);
            }
        }
    }

    private void checkExtended(SimLease mine, Duration longer, long tookNanos) {
        long leastNanos = longer.toNanos() / 100 * 98 - 15 * SimWorld.MILLI - tookNanos;
        boolean checked = client.hasSoundMachine() && options.maxHold().isEmpty() && !mine.isOver();
        if (checked && mine.lease().remaining().toNanos() < leastNanos) {
            world.violated(
                    Rule.AVAILABILITY,
                    mine + " was extended by " + longer + " and has "
                            + mine.lease().remaining());
        }
    }

    /** Gives it back, unless that was done before. */
    private void close(SimLease mine) {
        if (world.isTraced()) {
            world.trace(client.name(), label + " gives back token " + mine.token());
        }
        mine.closing();
        if (rng.chance(8_000)) {
            mine.lease().close();
        } else {
            mine.lease().closeAsync();
        }
        next.run();
    }

    /** Gives back soon what is held, because the run ends. */
    void drain() {
        SimLease mine = lease;
        if (mine != null && !mine.isOver()) {
            later(world.now() + rng.below(20 * SimWorld.MILLI), () -> {
                mine.closing();
                mine.lease().close();
            });
        }
    }

    /** A lease that is kept alive is not lost where nothing goes wrong, unless its user wanted an end. */
    private void lost(LostReason reason) {
        if (client.isCalm() && options.renewed() && options.maxHold().isEmpty()) {
            world.violated(Rule.AVAILABILITY, lease + " was lost although nothing went wrong: " + reason);
        }
    }
}
