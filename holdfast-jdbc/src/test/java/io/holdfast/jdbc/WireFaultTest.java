package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.redis.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** The wire to the database is cut, silent, slow, or loses an answer. */
@Tag("integration")
@Timeout(60)
class WireFaultTest {
    private static Products products;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() throws Exception {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    private LockClient client(FaultProxy proxy, DatabaseServer server) {
        return bench.client(bench.builder(FaultBench.through(proxy, server)));
    }

    private LockClient hasty(FaultProxy proxy, DatabaseServer server) {
        return bench.client(bench.hasty(FaultBench.through(proxy, server)));
    }

    @ParameterizedTest
    @EachProduct
    void cutOff_longerThanTheLease_holderKnowsAndTheOthersGoOn(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        FaultProxy proxy = bench.proxy(server);
        LockClient parted = client(proxy, server);
        Lease lease = parted.lock("a", FaultBench.lease(1_000)).acquire();
        proxy.refuse();
        proxy.reset();
        Lease next = FaultBench.get(bench.client(server).lock("a").acquireAsync());
        assertThat(lease.isValid()).isFalse();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThatThrownBy(() -> parted.lock("b").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("check that the database runs");
        proxy.heal();
        next.close();
        assertRecovers(parted, next.token());
    }

    /** Neither side is told: what exists stays open and dumb, and new connections are taken and get no answer. */
    @ParameterizedTest
    @EachProduct
    void halfOpen_callersAreToldInTime_andItHeals(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        FaultProxy proxy = bench.proxy(server);
        LockClient client = hasty(proxy, server);
        Lease lease = client.lock("a", FaultBench.lease(1_000)).acquire();
        proxy.halfOpen();
        long before = System.nanoTime();
        for (int i = 0; i < 6; i++) {
            assertThatThrownBy(() -> client.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("six callers who were ready to wait for a second each")
                .isLessThan(Duration.ofSeconds(20));
        FaultBench.get(lease.lost().toCompletableFuture());
        proxy.heal();
        assertRecovers(client, lease.token());
    }

    private static void assertRecovers(LockClient client, long afterToken) {
        FaultBench.soon("the client works again").ignoreExceptions().until(() -> {
            try (Lease again = client.lock("a").tryAcquire().orElseThrow()) {
                return again.token() > afterToken;
            }
        });
    }

    @ParameterizedTest
    @EachProduct
    void slow_holdsAndHandsOver(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        FaultProxy proxy = bench.proxy(server);
        LockClient slow = client(proxy, server);
        proxy.delayReplies(Duration.ofMillis(100));
        Lease lease = slow.lock("a", FaultBench.lease(6_000)).acquire();
        CompletableFuture<Lease> next = bench.client(server).lock("a").acquireAsync();
        FaultBench.awaitRenewal(lease);
        assertThat(next).isNotDone();
        lease.close();
        Lease after = FaultBench.get(next);
        assertThat(after.token()).isGreaterThan(lease.token());
        after.close();
    }

    /** The statement was executed, and nobody knows: the lock is not lost for ever, nor granted twice. */
    @ParameterizedTest
    @EachProduct
    void answerIsLost_lockIsFreeAgain(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        FaultProxy proxy = bench.proxy(server);
        LockClient client = hasty(proxy, server);
        client.lock("a").acquire().close();
        proxy.cutReplies();
        assertThatThrownBy(() -> client.lock("a", FaultBench.lease(20_000)).tryAcquire())
                .isInstanceOf(LockStoreException.class);
        proxy.heal();
        Lease next = FaultBench.get(bench.client(server).lock("a").acquireAsync());
        assertThat(next.isValid()).isTrue();
        next.close();
    }

    /** What a wire held back for longer than a request may take has no effect when it arrives. */
    @ParameterizedTest
    @EachProduct
    void requestArrivesLate_changesNothing(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        FaultProxy proxy = bench.proxy(server);
        LockClient client = hasty(proxy, server);
        client.lock("a").acquire().close();
        proxy.holdRequests(words -> true);
        CompletableFuture<?> late = FaultBench.async(
                () -> client.lock("a", FaultBench.lease(60_000)).tryAcquire());
        FaultBench.soon("it is given up").until(late::isCompletedExceptionally);
        proxy.releaseHeld();
        Lease other = FaultBench.get(bench.client(server).lock("a").acquireAsync());
        assertThat(other.isValid()).isTrue();
        other.close();
    }
}
