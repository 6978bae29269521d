package io.holdfast.fence;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.TimeSource;

/** Clients of stores whose clocks stand still: two of them give the same tokens, as one that forgot might. */
final class FrozenLocks {
    private FrozenLocks() {}

    static LockClient create() {
        return MemoryLocks.connect(new MemoryStore(new TimeSource() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public long wallMillis() {
                return 1_767_225_600_000L;
            }
        }));
    }
}
