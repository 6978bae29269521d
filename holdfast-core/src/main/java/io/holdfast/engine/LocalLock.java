package io.holdfast.engine;

import io.holdfast.spi.Resource;

/** What all lock objects of one name share inside a client: the gate, and which threads hold it. */
final class LocalLock {
    private final Resource resource;
    private final Gate gate;
    private final Ownership owners = new Ownership();
    private final Ownership readers = new Ownership();

    LocalLock(EngineContext context, Resource resource) {
        this.resource = resource;
        this.gate = Gate.shared(context, this);
    }

    Resource resource() {
        return resource;
    }

    /** The client's line for the resource. */
    Gate gate() {
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
