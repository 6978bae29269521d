package io.holdfast.memory;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;

class MemoryContractTest extends BackendContract {
    @Override
    protected BackendFixture newFixture() {
        return new MemoryFixture();
    }
}
