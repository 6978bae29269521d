package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.Safety;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The clock of the database is set by an hour: tokens grow, what is free is found, and who holds is told when it is
 * over.
 */
@Tag("integration")
@Timeout(60)
class ClockFaultTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ClockShim CLOCK = new ClockShim();
    private static Products products;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() throws Exception {
        products = new Products(server -> CLOCK.attach(server.pid()));
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    @AfterEach
    void reset() {
        CLOCK.reset();
    }

    @ParameterizedTest
    @EachProduct
    void back_holderKeepsIt_andItsReleaseServesTheNext(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        Lease lease = bench.client(server).lock("a", FaultBench.lease(6_000)).acquire();
        CompletableFuture<Lease> waiter =
                bench.client(server).lock("a", FaultBench.lease(1_000)).acquireAsync();
        CLOCK.step(HOUR.negated());
        FaultBench.awaitRenewal(lease);
        FaultBench.awaitRenewal(lease); // the clock may have been set after the first one was sent
        assertThat(lease.isValid()).as("renewed by the new clock").isTrue();
        assertThat(waiter).isNotDone();
        lease.close();
        Lease next = FaultBench.get(waiter);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
        Lease last = bench.client(server).lock("a").acquire();
        assertThat(last.token()).isGreaterThan(next.token());
    }

    /** The holder is dead; whoever asks next finds an end an hour ahead, and need not wait for it. */
    @ParameterizedTest
    @EachProduct
    void back_holderIsDead_leaseEndsAfterItsLength(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        FaultProxy wire = bench.proxy(server);
        LockClient dead = bench.client(bench.hasty(FaultBench.through(wire, server)));
        Lease lost = dead.lock("a", FaultBench.lease(2_000)).acquire();
        wire.cutRequests();
        CLOCK.step(HOUR.negated());
        Lease next = FaultBench.get(bench.client(server).lock("a").acquireAsync());
        assertThat(next.token()).isGreaterThan(lost.token());
        assertThat(lost.isValid()).as("over for its holder by then").isFalse();
    }

    @ParameterizedTest
    @EachProduct
    void forward_leaseEndsAndHolderIsTold_othersGoOn(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient client = bench.client(server);
        Lease lease = client.lock("a", FaultBench.lease(1_500)).acquire();
        CLOCK.step(HOUR);
        Lease next = FaultBench.get(bench.client(server).lock("a").acquireAsync());
        assertThat(next.token()).isGreaterThan(lease.token());
        FaultBench.get(lease.lost().toCompletableFuture());
        next.close();
        client.lock("b").acquire().close();
        CLOCK.step(HOUR.negated());
        Lease last = client.lock("a").acquire();
        assertThat(last.token()).as("after the clock was set right again").isGreaterThan(next.token());
    }

    /** What was over before must not begin again. */
    @ParameterizedTest
    @EachProduct
    void back_strict_isNotShut(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient client = bench.client(bench.builder(server).safety(Safety.STRICT));
        client.lock("a").acquire().close();
        CLOCK.step(HOUR.negated());
        assertThat(client.lock("b").tryAcquire()).isPresent();
        LockClient other = bench.client(bench.builder(server).safety(Safety.STRICT));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @EachProduct
    void examine_clockIsWrong_warns(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        bench.client(server).close();
        CLOCK.step(HOUR);
        assertThat(bench.builder(server).examine())
                .filteredOn(finding -> finding.check().equals("clock"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Finding.Level.WARN);
                    assertThat(finding.toString()).contains("s away from this machine's", "NTP");
                });
    }
}
