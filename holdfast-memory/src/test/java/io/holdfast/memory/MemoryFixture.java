package io.holdfast.memory;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;
import java.util.Optional;

/** A store of its own for each fixture. */
class MemoryFixture implements BackendFixture {
    private final MemoryStore store = new MemoryStore();

    @Override
    public LockBackend newBackend(TimeSource clocks) {
        return store.connect(clocks);
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(() -> store.restart(true));
    }

    @Override
    public boolean guardsAfterForgetting() {
        return true;
    }

    @Override
    public void close() {}
}
