package io.holdfast.memory;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.ForwardingBackend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The kit on a store that keeps a line and tells nobody: whoever waits has to ask. */
@Tag("integration")
class SilentMemoryContractTest extends BackendContract {

    private static final class SilentMemory extends ForwardingBackend {
        SilentMemory(LockBackend memory) {
            super(memory);
        }

        @Override
        public void start(String clientId, BackendListener listener) {
            super.start(clientId, new Untold(listener));
        }

        @Override
        public AttemptResult attempt(Claim claim, Duration patience) {
            AttemptResult result = super.attempt(claim, patience);
            return result instanceof AttemptResult.Queued queued
                    ? new AttemptResult.Queued(queued.place(), queued.left(), false)
                    : result;
        }
    }

    /** Is asked and never told. */
    private record Untold(BackendListener client) implements BackendListener {
        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

        @Override
        public void changed(Resource resource) {}

        @Override
        public void missed() {}

        @Override
        public List<ClientLine> lines() {
            return client.lines();
        }
    }

    @Override
    protected BackendFixture newFixture() {
        return new MemoryFixture() {
            @Override
            public LockBackend newBackend(TimeSource clocks) {
                return new SilentMemory(super.newBackend(clocks));
            }

            @Override
            public boolean announces() {
                return false;
            }
        };
    }
}
