package io.holdfast.comparison;

import java.util.concurrent.locks.Lock;

/** A section behind a lock that counts the holds of a thread. */
record LockSection(Lock lock) implements Peer.Section {
    @Override
    public void enter() {
        lock.lock();
    }

    @Override
    public void exit() {
        lock.unlock();
    }
}
