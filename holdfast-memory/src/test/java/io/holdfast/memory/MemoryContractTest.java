package io.holdfast.memory;

import io.holdfast.spi.LockBackend;
import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import java.util.Optional;

class MemoryContractTest extends BackendContract {

    @Override
    protected BackendFixture newFixture() {
        MemoryStore store = new MemoryStore();
        return new BackendFixture() {
            @Override
            public LockBackend newBackend() {
                return store.connect();
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
        };
    }
}
