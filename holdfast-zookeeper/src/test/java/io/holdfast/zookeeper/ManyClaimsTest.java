package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten thousand locks of one client. */
@Tag("integration")
@Tag("full")
class ManyClaimsTest {
    private static final int CLAIMS = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void tenThousandLocks_areRenewedAndReleased() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                LockClient locks = ZooKeeperLocks.connect(server.address())) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < CLAIMS; i++) {
                asked.add(locks.lock("many:" + i).acquireAsync());
            }
            List<Lease> leases = new ArrayList<>();
            for (CompletableFuture<Lease> each : asked) {
                leases.add(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            Lease first = leases.get(0);
            long beganNanos = System.nanoTime();
            Duration atFirst = first.remaining();
            await().atMost(PATIENCE)
                    .until(() -> System.nanoTime() - beganNanos
                            > atFirst.plusSeconds(1).toNanos());
            assertThat(leases).as("after the lease that they began with").allMatch(Lease::isValid);
            leases.forEach(Lease::closeAsync);
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(LockStoreException.class) // a list of thousands may take too long
                    .until(() -> locks.inspector().list("many:").count() == 0);
        }
    }
}
