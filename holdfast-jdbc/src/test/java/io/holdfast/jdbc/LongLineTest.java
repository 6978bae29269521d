package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many who wait for one name, in one row. How large it may become: RecordBoundsTest. */
@Tag("integration")
@Tag("full")
@Timeout(1500)
class LongLineTest {
    private static final int WAITERS = 400;
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @ParameterizedTest
    @EnumSource
    void hundredsOfWaiters_areAllServed_oneAfterTheOther(Product product) throws Exception {
        try (Products products = new Products()) {
            DatabaseServer server = products.get(product);
            LockOptions fifo = LockOptions.defaults().fairness(Fairness.FIFO);
            LockClient one = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(10)));
            LockClient other = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(10)));
            Lease first = one.lock("a", fifo).acquire();
            Queue<Long> tokens = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Void>> served = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                LockClient client = i % 2 == 0 ? one : other;
                served.add(client.lock("a", fifo)
                        .acquireAsync()
                        .toCompletableFuture()
                        .thenAccept(lease -> {
                            tokens.add(lease.token());
                            lease.close();
                        }));
            }
            Awaitility.await("all stand in line")
                    .atMost(LONG)
                    .until(() -> one.inspector()
                                    .find(LockKind.LOCK, "a")
                                    .orElseThrow()
                                    .waiting()
                            == WAITERS);
            first.close();
            for (CompletableFuture<Void> each : served) {
                each.get(LONG.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(List.copyOf(tokens)).hasSize(WAITERS).isSorted();
        }
    }
}
