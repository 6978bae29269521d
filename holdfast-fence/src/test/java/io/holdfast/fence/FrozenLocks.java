package io.holdfast.fence;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.testing.ManualTime;

/** Clients of stores whose clocks stand still: two of them give the same tokens, as one that forgot might. */
final class FrozenLocks {
    private FrozenLocks() {}

    static LockClient create() {
        return MemoryLocks.connect(new MemoryStore(new ManualTime()));
    }
}
