package io.holdfast.engine;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** The callers of one client that wait, and where: closing wakes them, and other clients are told how many they are. */
final class Waiting {
    private final ClientLife life;
    private final ConcurrentHashMap<Waiter, Gate> gates = new ConcurrentHashMap<>();
    private final AtomicLong serials = new AtomicLong();
    private volatile Runnable watcher = () -> {};

    Waiting(ClientLife life) {
        this.life = life;
    }

    /** Something to do whenever somebody begins to wait. */
    void watchedBy(Runnable watcher) {
        this.watcher = watcher;
    }

    /** Somebody is about to wait. True the first time. */
    boolean add(Waiter waiter, Gate gate) {
        if (waiter.serial == 0) {
            waiter.serial = serials.incrementAndGet();
        }
        boolean first = gates.putIfAbsent(waiter, gate) == null;
        if (first) {
            watcher.run();
        }
        if (first && life.isClosed()) {
            waiter.abandon(life.closedException());
            waiter.dismiss();
        }
        return first;
    }

    void remove(Waiter waiter) {
        if (!gates.isEmpty()) {
            gates.remove(waiter);
        }
    }

    void forEach(BiConsumer<Waiter, Gate> action) {
        gates.forEach(action);
    }

    Collection<Gate> gates() {
        return gates.values();
    }

    int size() {
        return gates.size();
    }

    /** The client is closing: everybody leaves, each in its own thread. */
    void abandonAll() {
        gates.keySet().forEach(waiter -> waiter.abandon(life.closedException()));
    }

    /** Fails the waiters that could not leave, because the client's threads had ended. */
    void dismissRest() {
        gates.keySet().forEach(Waiter::dismiss);
        gates.clear();
    }
}
