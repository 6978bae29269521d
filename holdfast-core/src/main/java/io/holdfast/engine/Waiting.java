package io.holdfast.engine;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/** The callers of one client that wait, and where: closing wakes them, and other clients are told how many they are. */
final class Waiting {
    private final ClientLife life;
    private final ConcurrentHashMap<Waiter, Gate> gates = new ConcurrentHashMap<>();

    Waiting(ClientLife life) {
        this.life = life;
    }

    /** Somebody is about to wait. True the first time. */
    boolean add(Waiter waiter, Gate gate) {
        boolean first = gates.putIfAbsent(waiter, gate) == null;
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
