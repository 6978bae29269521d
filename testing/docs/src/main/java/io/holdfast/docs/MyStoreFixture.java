package io.holdfast.docs;

import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;

/** The fixture of the store that the page about writing a backend speaks of. */
public final class MyStoreFixture implements BackendFixture {
    private final MemoryStore store = new MemoryStore();

    @Override
    public LockBackend newBackend(TimeSource clocks) {
        return store.connect(clocks);
    }

    @Override
    public void close() {}
}
