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
 * A mutex, or one side of a read-write lock. Leases come from {@link LeaseAcquirer}. This class adds the thread-owned,
 * re-entrant style: a count in this process, on top of one lease.
 */
final class EngineLock extends LeaseAcquirer implements DistributedLock {

    /** What the calling thread holds of this side. */
    private final Ownership own;

    /** For a read lock: the write side, on whose holds its own thread may ride. */
    private final @Nullable Ownership writers;

    /** For a write lock: the read side, whose holders would wait for themselves. */
    private final @Nullable Ownership readers;

    private EngineLock(
            Acquisitions services,
            LocalLock local,
            int weight,
            LockOptions options,
            Ownership own,
            @Nullable Ownership writers,
            @Nullable Ownership readers) {
        super(services, local.resource(), weight, options, local);
        this.own = own;
        this.writers = writers;
        this.readers = readers;
    }

    static EngineLock mutex(Acquisitions services, LocalLock local, LockOptions options) {
        return new EngineLock(services, local, 1, options, local.owners(), null, null);
    }

    static EngineLock reader(Acquisitions services, LocalLock local, LockOptions options) {
        return new EngineLock(services, local, 1, options, local.readers(), local.owners(), null);
    }

    static EngineLock writer(Acquisitions services, LocalLock local, LockOptions options) {
        int all = local.resource().capacity();
        return new EngineLock(services, local, all, options, local.owners(), null, local.readers());
    }

    @Override
    public void lock() {
        Thread thread = Thread.currentThread();
        if (!reenter(thread, options)) {
            own.add(thread, present(acquireUninterruptibly(Request.FOREVER, true, null)));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lockInterruptibly(Request.FOREVER, options);
    }

    @Override
    public boolean tryLock() {
        Thread thread = Thread.currentThread();
        return reenter(thread, options) || owned(thread, acquireUninterruptibly(0, true, null));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lockInterruptibly(time <= 0 ? 0 : unit.toNanos(time), options);
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return lockInterruptibly(Durations.waitNanos(wait), options);
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        LockOptions fixed = options.fixedLease(Durations.lease(lease));
        return lockInterruptibly(
                Durations.waitNanos(wait), services.store().limit().fitted(resource, fixed));
    }

    private boolean lockInterruptibly(long waitNanos, LockOptions held) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking " + this);
        }
        Thread thread = Thread.currentThread();
        return reenter(thread, held) || owned(thread, acquireInterruptibly(waitNanos, held, true, null));
    }

    private boolean owned(Thread thread, @Nullable EngineLease lease) {
        if (lease != null) {
            own.add(thread, lease);
        }
        return lease != null;
    }

    /** Counts one more hold of a thread that has the lock, after making sure that it lasts as long as was asked for. */
    private boolean reenter(Thread thread, LockOptions asked) {
        Holding holding = unlessLost(own.of(thread));
        Holding ridden = holding == null && writers != null ? unlessLost(writers.of(thread)) : null;
        Holding used = holding != null ? holding : ridden;
        if (used == null) {
            refuseUpgrade(thread);
            return false;
        }
        used.lease.atLeast(asked);
        used.add(used == ridden, 1);
        return true;
    }

    /**
     * Throws if the thread does not know yet that it lost the lock, so that a loss does not look like a new
     * acquisition. Throws once.
     */
    private static @Nullable Holding unlessLost(@Nullable Holding holding) {
        if (holding == null || !holding.lease.isLost()) {
            return holding;
        }
        holding.lease.tellOwner();
        return null;
    }

    /** A lost read lock is not in the way. */
    private void refuseUpgrade(Thread thread) {
        Holding reading = readers == null ? null : readers.of(thread);
        if (reading != null && reading.lease.isValid()) {
            throw new IllegalMonitorStateException("thread " + Ownership.nameOf(thread) + " holds the read lock of '"
                    + name() + "' and would wait for itself; unlock it before taking the write lock");
        }
    }

    @Override
    public void unlock() {
        Holding newest = own.of(Thread.currentThread());
        if (newest != null && newest.leaveInner()) {
            return;
        }
        Holding holding = giveBack(owed("unlock"));
        if (holding.lease.isLost()) {
            holding.lease.ensureValid();
        }
    }

    /**
     * Takes back one level that was locked a moment ago. Does not tell a loss: the thread gets that from what it held
     * before.
     */
    void undo() {
        Holding holding = next();
        if (holding != null && giveBack(holding).isUnused()) {
            holding.lease.told();
        }
    }

    /** Throws what {@link #unlock} would if the thread neither holds the lock nor lost it. */
    void ensureOwed() {
        owed("unlock");
    }

    private Holding giveBack(Holding holding) {
        holding.add(holding.side != own, -1);
        if (holding.isUnused()) {
            holding.side.remove(Thread.currentThread(), holding);
            holding.lease.giveBack();
        }
        return holding;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    @Override
    public int holdCount() {
        Thread thread = Thread.currentThread();
        return validCount(own.of(thread), false) + (writers == null ? 0 : validCount(writers.of(thread), true));
    }

    /** How often a thread holds it. Zero counts as telling the thread of its loss. */
    private static int validCount(@Nullable Holding holding, boolean riding) {
        int count = holding == null ? 0 : holding.count(riding);
        if (holding == null || count == 0 || holding.lease.isValid()) {
            return count;
        }
        holding.lease.told();
        return 0;
    }

    @Override
    public Lease lease() {
        return owed("ask for the lease").lease;
    }

    private Holding owed(String what) {
        Holding found = next();
        if (found == null) {
            throw notHeld(what);
        }
        return found;
    }

    /** What the calling thread has to unlock next: of what it holds, else of what it lost; null if there is nothing. */
    private @Nullable Holding next() {
        Thread thread = Thread.currentThread();
        Holding found = own.of(thread, false, false);
        if (found == null && writers != null) {
            found = writers.of(thread, true, false);
        }
        if (found == null) {
            found = own.of(thread, false, true);
        }
        if (found == null && writers != null) {
            found = writers.of(thread, true, true);
        }
        return found;
    }

    private IllegalMonitorStateException notHeld(String what) {
        services.life().ensureOpen();
        return new IllegalMonitorStateException("thread " + Ownership.nameOf(Thread.currentThread()) + " cannot " + what
                + ": it does not hold " + resource.kind() + " '" + name() + "'; " + whoHolds());
    }

    private String whoHolds() {
        String here = own.anyOwner();
        if (here != null) {
            return "thread " + here + " of this client does";
        }
        try {
            return services.store()
                    .inspect(resource)
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
