package io.holdfast.engine;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.LockOptions;

/** Two locks on one resource: a reader takes one of its capacity, a writer all of it. */
final class EngineReadWriteLock implements DistributedReadWriteLock {
    private final EngineLock reader;
    private final EngineLock writer;

    EngineReadWriteLock(Acquisitions services, LocalLock local, LockOptions options) {
        reader = EngineLock.reader(services, local, options);
        writer = EngineLock.writer(services, local, options);
    }

    @Override
    public String name() {
        return writer.name();
    }

    @Override
    public DistributedLock readLock() {
        return reader;
    }

    @Override
    public DistributedLock writeLock() {
        return writer;
    }
}
