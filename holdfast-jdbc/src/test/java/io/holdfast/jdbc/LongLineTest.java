package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** Many who wait for one name, in one row. How large it may become: RecordBoundsTest. What it costs: CrowdTest. */
@Tag("integration")
@Timeout(600)
class LongLineTest {
    private static final LockOptions FIFO = LockOptions.defaults().fairness(Fairness.FIFO);

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private final Semaphore standing = new Semaphore(0);

    @ParameterizedTest
    @EachProduct
    void someWaiters_areServedInTheOrderOfArrival(Product product) throws Exception {
        assertServedInOrder(product, 60);
    }

    @ParameterizedTest
    @EachProduct
    @Tag("full")
    void aThousandWaiters_areServedInTheOrderOfArrival(Product product) throws Exception {
        assertServedInOrder(product, 1_000);
    }

    private void assertServedInOrder(Product product, int waiters) throws Exception {
        try (Products products = new Products()) {
            LockClient one = client(products.get(product));
            LockClient other = client(products.get(product));
            Lease first = one.lock("a", FIFO).acquire();
            Map<Long, Integer> byToken = new ConcurrentSkipListMap<>();
            List<CompletableFuture<Void>> served = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                int number = i;
                served.add((i % 2 == 0 ? one : other)
                        .lock("a", FIFO)
                        .acquireAsync()
                        .toCompletableFuture()
                        .thenAccept(lease -> {
                            byToken.put(lease.token(), number);
                            lease.close();
                        }));
                assertThat(standing.tryAcquire(60, TimeUnit.SECONDS))
                        .as("number %s stands in the line", i)
                        .isTrue();
            }
            first.close();
            for (CompletableFuture<Void> each : served) {
                each.get(300, TimeUnit.SECONDS);
            }
            assertThat(byToken.values())
                    .containsExactlyElementsOf(
                            IntStream.range(0, waiters).boxed().toList());
        }
    }

    private LockClient client(DatabaseServer server) {
        LockClient client = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(10)));
        client.addListener(event -> {
            if (event instanceof LockEvent.Contended) {
                standing.release();
            }
        });
        return client;
    }
}
