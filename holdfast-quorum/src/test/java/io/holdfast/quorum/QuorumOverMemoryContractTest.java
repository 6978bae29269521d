package io.holdfast.quorum;

import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Nodes of another kind, without pipelining: one thread cannot ask all of them at once. */
@Tag("integration")
@Tag("full")
class QuorumOverMemoryContractTest extends BackendContract {
    @Override
    protected BackendFixture newFixture() {
        List<MemoryStore> stores = Stream.generate(MemoryStore::new).limit(3).toList();
        return new BackendFixture() {
            @Override
            public LockBackend newBackend(TimeSource clocks) {
                return QuorumLocks.backendOver(
                        stores.stream().map(store -> store.connect(clocks)).toList(), clocks);
            }

            @Override
            public Optional<Runnable> forgetEverything() {
                return Optional.of(() -> stores.forEach(store -> store.restart(true)));
            }

            @Override
            public void close() {}
        };
    }
}
