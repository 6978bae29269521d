package io.holdfast.engine;

import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What all lock objects of one name share inside a client: the gates, and which threads hold it. */
final class LocalLock {
    private static final VarHandle OTHERS = Fields.of(MethodHandles.lookup(), "others", ConcurrentHashMap.class);

    private final GateServices services;
    private final Resource resource;

    /** For a lock, for readers and writers together, or for permits that are taken one at a time. */
    private final SharedGate gate;

    /** For permits that are taken several at a time, by how many; made when somebody does. */
    private volatile @Nullable ConcurrentHashMap<Integer, SharedGate> others;

    private final Ownership owners;
    private final Ownership readers;

    LocalLock(GateServices services, Resource resource) {
        this.services = services;
        this.resource = resource;
        this.owners = new Ownership(services.life());
        this.readers = new Ownership(services.life());
        this.gate = newGate(1);
    }

    private SharedGate newGate(int weight) {
        boolean single = weight == resource.capacity();
        return new SharedGate(services, resource, single, this, new ReentrantLock());
    }

    Resource resource() {
        return resource;
    }

    /** The client's line for those who take so much of the resource. */
    SharedGate gate(int weight) {
        return weight == 1 || resource.kind() == LockKind.READ_WRITE
                ? gate
                : others().computeIfAbsent(weight, this::newGate);
    }

    private ConcurrentHashMap<Integer, SharedGate> others() {
        if (others == null) {
            OTHERS.compareAndSet(this, null, new ConcurrentHashMap<Integer, SharedGate>());
        }
        return Objects.requireNonNull(others);
    }

    /** What this client knows of its own lines for the resource. */
    List<GateView> views() {
        List<GateView> views = new ArrayList<>();
        views.add(gate.view());
        ConcurrentHashMap<Integer, SharedGate> known = others;
        if (known != null) {
            known.values().forEach(each -> views.add(each.view()));
        }
        return views;
    }

    /** Threads that hold the mutex, or the write side. */
    Ownership owners() {
        return owners;
    }

    /** Threads that hold the read side. */
    Ownership readers() {
        return readers;
    }
}
