package io.holdfast.simulation;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A user of the {@link Lock} view: a thread that locks, works, maybe locks again, and unlocks what it still holds. */
final class ViewUser {
    /** How a thread asks. */
    private enum Way {
        LOCK,
        INTERRUPTIBLY,
        TRY,
        TRY_FOR_A_WHILE
    }

    private static final List<Way> WAYS = List.of(Way.values());

    private final SimClient client;
    private final SimWorld world;
    private final Workload workload;
    private final Rng rng;
    private final String name;
    private final SimThread thread;
    private @Nullable ResourceLedger wanted;
    private boolean waiting;
    private int wishes;
    private @Nullable Lease lost;

    ViewUser(SimClient client, Workload workload, String name, Rng rng, int wishes) {
        this.client = client;
        this.world = client.world();
        this.workload = workload;
        this.rng = rng;
        this.name = name;
        this.wishes = wishes;
        this.thread = new SimThread(world, client.process(), name, new Rng(rng.nextLong()), this::run);
    }

    void begin() {
        thread.begin(workload.thinkNanos(rng));
    }

    SimThread thread() {
        return thread;
    }

    String name() {
        return name;
    }

    boolean isWaiting() {
        return waiting;
    }

    /** The process is dead: nobody waits any more. */
    void died() {
        if (isWaiting()) {
            ended(Stats.Ending.CLIENT_KILLED);
        }
    }

    private void run() {
        for (; wishes > 0 && !client.isClosing() && !workload.isDraining(); wishes--) {
            LockOptions options = workload.viewOptions(rng, name);
            List<ResourceLedger> mutexes = workload.mutexes();
            try {
                if (mutexes.size() > 1 && rng.chance(3_500)) {
                    new Round(this, mutexes, options).run();
                } else {
                    new Round(this, List.of(workload.lockable(rng)), options).run();
                }
            } catch (IllegalStateException closed) {
                if (!client.isClosing()) {
                    throw closed;
                }
            }
            if (!client.isClosing()) {
                thread.pass(workload.thinkNanos(rng));
            }
        }
    }

    /**
     * Asks in one of the four ways; false if it was not free, or there was trouble.
     *
     * @param ledger of what it waits for, or null if that is now the one and now the other
     */
    boolean take(Lock lock, @Nullable ResourceLedger ledger) {
        waiting = true;
        wanted = ledger;
        if (ledger != null) {
            ledger.asked();
        }
        Stats.Ending ending = Stats.Ending.FAILED;
        try {
            boolean taken = ask(lock, rng.pick(WAYS));
            ending = taken ? Stats.Ending.LEASED : Stats.Ending.EMPTY;
            return taken;
        } catch (LockStoreException trouble) {
            if (client.isCalm()) {
                world.violated(Rule.AVAILABILITY, name + " failed although nothing went wrong: " + trouble);
            }
            return false;
        } catch (InterruptedException impossible) {
            throw new AssertionError("nobody interrupts", impossible);
        } catch (IllegalStateException closed) {
            ending = Stats.Ending.CLIENT_CLOSED;
            throw closed;
        } finally {
            if (isWaiting()) {
                ended(ending);
            }
        }
    }

    private boolean ask(Lock lock, Way way) throws InterruptedException {
        switch (way) {
            case LOCK -> lock.lock();
            case INTERRUPTIBLY -> lock.lockInterruptibly();
            case TRY -> {
                return lock.tryLock();
            }
            case TRY_FOR_A_WHILE -> {
                return lock.tryLock(workload.waitTime(rng).toNanos(), TimeUnit.NANOSECONDS);
            }
        }
        return true;
    }

    private void ended(Stats.Ending ending) {
        waiting = false;
        ResourceLedger ledger = wanted;
        if (ledger != null) {
            ledger.answered();
        }
        client.stats().ended(ending);
    }

    void knowsOfLoss(Lease lease) {
        lost = lease;
    }

    /** What it lost and knows of, if there is any. */
    @Nullable
    Lease lost() {
        return lost;
    }

    SimClient client() {
        return client;
    }

    Workload workload() {
        return workload;
    }

    Rng rng() {
        return rng;
    }
}
