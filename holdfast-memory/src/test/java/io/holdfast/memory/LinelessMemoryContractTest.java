package io.holdfast.memory;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.ForwardingBackend;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The kit on a store that keeps no line: whoever comes when the lock is free gets it. */
@Tag("integration")
class LinelessMemoryContractTest extends BackendContract {

    /** No claim waits in the store, so that there is neither a place nor anything to tell. */
    private static final class LinelessMemory extends ForwardingBackend {
        LinelessMemory(LockBackend memory) {
            super(memory);
        }

        @Override
        public AttemptResult attempt(Claim claim, Duration patience) {
            return super.attempt(claim.toBuilder().waits(false).build(), patience);
        }
    }

    @Override
    protected BackendFixture newFixture() {
        return new MemoryFixture() {
            @Override
            public LockBackend newBackend(TimeSource clocks) {
                return new LinelessMemory(super.newBackend(clocks));
            }

            @Override
            public boolean keepsLine() {
                return false;
            }
        };
    }
}
