package io.holdfast.zookeeper;

import io.holdfast.memory.MemoryStore;
import io.holdfast.tck.CallByCall;
import io.holdfast.testing.ManualTime;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The ordered children against the memory store, which is the reference. Its time stands still: places in the line end
 * by time there, and with the session here.
 */
@Tag("integration")
class ZooKeeperReferenceTest {
    @Test
    void randomCalls_everyKind_areAnsweredAsTheReferenceDoes() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            CallByCall.compare(
                    BackendClient.patient(server.address())
                            .session(Duration.ofMinutes(5))
                            .newBackend(),
                    new MemoryStore(new ManualTime()).connect(),
                    10,
                    Duration.ofMinutes(3));
        }
    }
}
