package io.holdfast.engine;

import io.holdfast.spi.Resource;
import java.util.concurrent.locks.ReentrantLock;

/** What all lock objects of one name share inside a client: the gate, and which threads hold it. */
final class LocalLock {
    private final Resource resource;
    private final SharedGate gate;
    private final Ownership owners;
    private final Ownership readers;

    LocalLock(GateServices services, Resource resource) {
        this.resource = resource;
        this.owners = new Ownership(services.life());
        this.readers = new Ownership(services.life());
        this.gate = new SharedGate(services, resource, this, new ReentrantLock());
    }

    Resource resource() {
        return resource;
    }

    /** The client's line for the resource. */
    SharedGate gate() {
        return gate;
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
