package io.holdfast.torture;

/** Lets the threads of a worker work, rest or end. Guarded by its own monitor. */
final class Baton {
    private int working;
    private boolean paused;
    private boolean stopped;

    /** @param threads how many will ask */
    Baton(int threads) {
        this.working = threads;
    }

    /** Called between two pieces of work; returns when the next one may begin, and false if there is none. */
    synchronized boolean next() {
        working--;
        notifyAll();
        try {
            while (paused && !stopped) {
                wait();
            }
        } catch (InterruptedException e) {
            stopped = true;
        }
        working++;
        return !stopped;
    }

    /** No work from now on; returns when none is under way. */
    synchronized void pause() throws InterruptedException {
        paused = true;
        while (working > 0 && !stopped) {
            wait();
        }
    }

    synchronized void resume() {
        paused = false;
        notifyAll();
    }

    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    synchronized boolean isStopped() {
        return stopped;
    }
}
