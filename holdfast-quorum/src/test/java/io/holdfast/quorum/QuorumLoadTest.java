package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many more callers than connections to each node: they do not keep each other waiting in a circle. */
@Tag("integration")
@Timeout(120)
class QuorumLoadTest {
    private static final int CALLERS = 300;

    /** Each caller comes three times. */
    private static final long CYCLES = 3L * CALLERS;

    @AutoClose
    private Servers servers;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong cycles = new AtomicLong();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() {
        servers = Servers.start(3);
    }

    /**
     * A caller asks all nodes before it waits for any, and a release asks them in another order than an attempt. If
     * sending waited for a connection while the same caller has those of other nodes, everybody would wait for
     * everybody, until nodes count as silent that answer at once.
     */
    @Test
    void crowd_twoConnectionsToEachNode_goesOnAndNoNodeCountsAsSilent() throws InterruptedException {
        QuorumBackend backend = QuorumLocks.builder(servers.urls())
                .startEmpty()
                .nodeTimeout(Duration.ofSeconds(10))
                .eachNode(node -> node.connections(2).requestTimeout(Duration.ofSeconds(10)))
                .backend(TimeSource.system());
        List<Thread> threads = new ArrayList<>();
        try (LockClient client = LockEngine.start(backend, LockOptions.defaults())) {
            for (int i = 0; i < CALLERS; i++) {
                String name = "crowd-" + i;
                Thread thread = new Thread(null, () -> cycle(client, name), name, 256 << 10);
                thread.setDaemon(true);
                threads.add(thread);
                thread.start();
            }
            Rig.soon(CYCLES + " cycles").atMost(Duration.ofSeconds(60)).until(() -> {
                assertThat(backend.up()).as("nodes that answer").isEqualTo(3);
                assertThat(failures).isEmpty();
                return cycles.get() >= CYCLES;
            });
            over.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        } finally {
            over.set(true);
        }
    }

    private void cycle(LockClient client, String name) {
        while (!over.get()) {
            try (Lease lease = client.lock(name).acquire()) {
                assertThat(lease.isValid()).isTrue();
                cycles.incrementAndGet();
            } catch (Throwable failure) {
                failures.add(failure);
                return;
            }
        }
    }
}
