package io.holdfast.engine;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.engine.Ownership.Holding;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A mutex, or one side of a read-write lock. Leases come from {@link LeaseAcquirer}; what is added here is the thread-owned, re-entrant
 * style: a count in this process, on top of one lease.
 */
final class EngineLock extends LeaseAcquirer implements DistributedLock {

    /** What the calling thread holds of this side. */
    private final Ownership own;

    /** For a read lock: the write side, on whose holds its own thread may ride. */
    private final @Nullable Ownership writers;

    /** For a write lock: the read side, whose holders would wait for themselves. */
    private final @Nullable Ownership readers;

    private EngineLock(
            EngineContext context,
            LocalLock local,
            int weight,
            LockOptions options,
            Ownership own,
            @Nullable Ownership writers,
            @Nullable Ownership readers) {
        super(context, local.resource(), weight, options, local);
        this.own = own;
        this.writers = writers;
        this.readers = readers;
    }

    static EngineLock mutex(EngineContext context, LocalLock local, LockOptions options) {
        return new EngineLock(context, local, 1, options, local.owners(), null, null);
    }

    static EngineLock reader(EngineContext context, LocalLock local, LockOptions options) {
        return new EngineLock(context, local, 1, options, local.readers(), local.owners(), null);
    }

    static EngineLock writer(EngineContext context, LocalLock local, LockOptions options) {
        int all = local.resource().capacity();
        return new EngineLock(context, local, all, options, local.owners(), null, local.readers());
    }

    @Override
    public void lock() {
        Thread thread = Thread.currentThread();
        if (!reenter(thread, null)) {
            own.add(thread, present(acquireUninterruptibly(Request.FOREVER, thread)));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lockInterruptibly(Request.FOREVER, options);
    }

    @Override
    public boolean tryLock() {
        Thread thread = Thread.currentThread();
        return reenter(thread, null) || owned(thread, acquireUninterruptibly(0, thread));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lockInterruptibly(time <= 0 ? 0 : unit.toNanos(time), options);
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return lockInterruptibly(Durations.waitNanos(wait), options.fixedLease(Durations.lease(lease)));
    }

    private boolean lockInterruptibly(long waitNanos, LockOptions held) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking " + this);
        }
        Thread thread = Thread.currentThread();
        return reenter(thread, held.renewed() ? null : held.lease())
                || owned(thread, acquireInterruptibly(waitNanos, held, thread));
    }

    private boolean owned(Thread thread, @Nullable HeldLease lease) {
        if (lease != null) {
            own.add(thread, lease);
        }
        return lease != null;
    }

    /** Counts one more hold of a thread that has the lock; with a fixed lease, after making sure that it lasts that long. */
    private boolean reenter(Thread thread, @Nullable Duration atLeast) {
        Holding holding = own.of(thread);
        Holding ridden = holding == null && writers != null ? writers.of(thread) : null;
        Holding used = holding != null ? holding : ridden;
        if (used == null) {
            refuseUpgrade(thread);
            return false;
        }
        if (used.lease.isLost()) {
            used.lease.ensureValid();
        }
        if (atLeast != null && used.lease.remaining().compareTo(atLeast) < 0) {
            used.lease.extend(atLeast);
        }
        if (holding != null) {
            holding.holds++;
        } else {
            used.readHolds++;
        }
        return true;
    }

    private void refuseUpgrade(Thread thread) {
        if (readers != null && readers.of(thread) != null) {
            throw new IllegalMonitorStateException("thread " + Ownership.nameOf(thread) + " holds the read lock of '"
                    + name() + "' and would wait for itself; unlock it before taking the write lock");
        }
    }

    @Override
    public void unlock() {
        Thread thread = Thread.currentThread();
        Holding holding = own.of(thread);
        if (holding != null && holding.holds > 0) {
            holding.holds--;
            finish(thread, holding, own);
            return;
        }
        Holding ridden = writers == null ? null : writers.of(thread);
        if (ridden == null || writers == null || ridden.readHolds == 0) {
            throw notHeld("unlock");
        }
        ridden.readHolds--;
        finish(thread, ridden, writers);
    }

    private static void finish(Thread thread, Holding holding, Ownership side) {
        if (holding.isUnused()) {
            side.remove(thread);
            holding.lease.close();
            if (holding.lease.isLost()) {
                holding.lease.ensureValid();
            }
        }
    }

    @Override
    public boolean isHeldByCurrentThread() {
        Holding holding = holding();
        return holding != null && holding.lease.isValid();
    }

    @Override
    public int holdCount() {
        Thread thread = Thread.currentThread();
        Holding holding = own.of(thread);
        Holding ridden = writers == null ? null : writers.of(thread);
        return (holding == null ? 0 : holding.holds) + (ridden == null ? 0 : ridden.readHolds);
    }

    @Override
    public Lease lease() {
        Holding holding = holding();
        if (holding == null) {
            throw notHeld("ask for the lease");
        }
        return holding.lease;
    }

    private @Nullable Holding holding() {
        Thread thread = Thread.currentThread();
        Holding holding = own.of(thread);
        if (holding != null && holding.holds > 0) {
            return holding;
        }
        Holding ridden = writers == null ? null : writers.of(thread);
        return ridden != null && ridden.readHolds > 0 ? ridden : null;
    }

    private IllegalMonitorStateException notHeld(String what) {
        context.ensureOpen();
        return new IllegalMonitorStateException("thread " + Ownership.nameOf(Thread.currentThread()) + " cannot " + what
                + ": it does not hold " + resource.kind() + " '" + name() + "'; " + whoHolds());
    }

    private String whoHolds() {
        String here = own.anyOwner();
        if (here != null) {
            return "thread " + here + " of this client does";
        }
        try {
            return context.inspect(resource)
                    .flatMap(view -> view.holders().stream().findFirst())
                    .map(EngineLock::described)
                    .orElse("nobody does");
        } catch (RuntimeException unknown) {
            return "the store could not say who does";
        }
    }

    private static String described(ResourceView.Holder holder) {
        return "'" + holder.label() + "' of client " + holder.claim().client() + " does";
    }
}
