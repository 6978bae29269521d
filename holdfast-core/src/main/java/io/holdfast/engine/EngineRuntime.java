package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Everything the engine needs from outside besides a store: time, threads and chance. Injected, so that a simulation
 * can run all of it on one thread under a clock of its own.
 *
 * <p><b>Implementing.</b> For simulations. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface EngineRuntime {

    /**
     * Returns the clocks.
     *
     * @return the source of all time in the engine
     */
    TimeSource time();

    /**
     * Returns where the engine calls the store when no caller's thread is at hand. Tasks may block for a trip.
     *
     * @return runs each task once, not on the calling thread
     */
    Executor worker();

    /**
     * Returns where the engine calls one part of the store: work for a part that does not answer keeps no other work
     * waiting.
     *
     * @param part see {@link io.holdfast.spi.LockBackend#part}
     * @return runs each task once, not on the calling thread
     */
    default Executor worker(String part) {
        return worker();
    }

    /**
     * Returns where the watchdog calls the store, apart from all other work so that nothing can keep a renewal waiting.
     *
     * @return runs each task once, not on the calling thread
     */
    Executor renewals();

    /**
     * Returns where user code runs that the engine calls: callbacks and completions. Tasks may block for as long as
     * they like.
     *
     * @return runs each task once, not on the calling thread
     */
    Executor callbacks();

    /**
     * Runs a task later, once. Tasks never block.
     *
     * @param task what to do
     * @param delayNanos when, from now
     * @return cancels the task when run; does nothing once the task ran
     */
    Runnable schedule(Runnable task, long delayNanos);

    /**
     * Chooses a number at random.
     *
     * @param bound greater than zero
     * @return from zero up to and without {@code bound}
     */
    long random(long bound);

    /**
     * Lets time pass for the calling thread, or returns early if it is interrupted. Used while closing and after
     * trouble, never on the way to a lock.
     *
     * @param nanos how long
     */
    void pause(long nanos);

    /**
     * Parks the calling thread, which wants a lock: until {@link #unpark}, an interrupt or the end of the time. May
     * return early for no reason.
     *
     * @param blocker what it waits for
     * @param nanos how long at most
     */
    default void park(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }

    /**
     * Ends the present or else the next {@link #park} of a thread.
     *
     * @param thread whose
     */
    default void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    /** Ends every thread that belongs to the runtime. Closing twice does nothing. */
    void close();

    /**
     * Returns the real thing: the machine's clocks, one timer thread, one or a few for renewals, and workers that come
     * and go. All of them are daemon threads; on a runtime that has virtual threads the workers are virtual. Elsewhere
     * callbacks have 64 threads; while none of these comes to an end for a second there are more, up to 512, and what
     * comes then waits.
     *
     * @param name what the threads are called
     * @return a new runtime
     */
    static EngineRuntime system(String name) {
        return system(name, TimeSource.system());
    }

    /**
     * Returns the same with other clocks.
     *
     * @param name what the threads are called
     * @param clocks in place of the machine's; must run at their pace
     * @return a new runtime
     */
    static EngineRuntime system(String name, TimeSource clocks) {
        return new SystemRuntime(name, clocks);
    }
}
