package io.holdfast.simulation;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulated user, for what belongs to threads: a lock that is locked and unlocked. A real one, so that
 * the engine can tell it from others, but it runs only while whoever resumed it waits. So there is still only one thing
 * at a time, and chance alone says which.
 */
final class SimThread extends Thread {
    private final SimWorld world;
    private final SimProcess process;
    private final Rng rng;
    private final Runnable body;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore turnOver = new Semaphore(0);
    private boolean begun;
    private boolean ended;
    private boolean aborted;

    /** Whether it was unparked since it last parked. */
    private boolean permit;

    /** What ends the present park. */
    private @Nullable SimEvent parked;

    SimThread(SimWorld world, SimProcess process, String name, Rng rng, Runnable body) {
        super(name);
        this.world = world;
        this.process = process;
        this.rng = rng;
        this.body = body;
        setDaemon(true);
    }

    /** The simulated thread that calls. */
    static SimThread current() {
        if (Thread.currentThread() instanceof SimThread current) {
            return current;
        }
        throw new IllegalStateException("only a simulated thread may wait here");
    }

    void begin(long delayNanos) {
        post(delayNanos);
    }

    private SimEvent post(long delayNanos) {
        return world.post(process, world.now() + delayNanos, getName().hashCode(), false, this::goOn);
    }

    /** Lets it run until it waits or ends. */
    private void goOn() {
        if (ended) {
            return;
        }
        if (begun) {
            turn.release();
        } else {
            begun = true;
            start();
        }
        turnOver.acquireUninterruptibly();
    }

    @Override
    public void run() {
        try {
            body.run();
        } catch (ProcessKilledError end) {
            world.trace(end.processName(), "is dead, " + getName() + " ends");
        } catch (RuntimeException | AssertionError surprise) {
            world.violated(Rule.NO_SURPRISE, getName() + " threw " + surprise);
        } finally {
            ended = true;
            turnOver.release();
        }
    }

    private void await() {
        turnOver.release();
        turn.acquireUninterruptibly();
        if (aborted) {
            throw new ProcessKilledError(process.name());
        }
        process.ensureAlive();
    }

    /** Lets time pass for this thread, by which it is called. */
    void pass(long nanos) {
        post(nanos);
        await();
    }

    /** As {@link java.util.concurrent.locks.LockSupport#parkNanos}, for this thread, by which it is called. */
    void park(long nanos) {
        if (!permit) {
            parked = post(nanos);
            await();
            parked = null;
        }
        permit = false;
    }

    /** As {@link java.util.concurrent.locks.LockSupport#unpark}. The thread goes on a little later. */
    void unpark() {
        SimEvent end = parked;
        if (end != null && !permit) {
            end.cancelled = true;
            parked = post(rng.below(rng.chance(9_500) ? 100 * SimWorld.MICRO : 4 * SimWorld.MILLI));
        }
        permit = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** The run is over: unwinds a thread that waits. */
    void abort() {
        if (begun && !ended) {
            aborted = true;
            goOn();
        }
    }
}
