package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockRefusedException;
import io.holdfast.Safety;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.testing.ManualTime;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.FaultProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Opens a client on a database that has lost its locks, and grants nothing new for a while. */
    private LockClient shut(DatabaseServer server, Duration longestLease) throws Exception {
        bench.client(strict(server, longestLease)).close();
        FaultBench.execute(server, "DELETE FROM " + bench.table() + "_lock");
        return bench.client(strict(server, longestLease));
    }

    private JdbcLocksBuilder strict(DatabaseServer server, Duration longestLease) {
        return bench.builder(server).safety(Safety.STRICT).longestLease(longestLease);
    }

    /** Neither for those who were there nor for those who come. */
    @ParameterizedTest
    @EachProduct
    void back_whileItIsShut_isNotShutForLonger(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        Duration longest = Duration.ofSeconds(4);
        LockClient client = shut(server, longest);
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockRefusedException.class);
        CLOCK.step(HOUR.negated());
        LockClient other = bench.client(strict(server, longest));
        for (LockClient each : List.of(client, other)) {
            FaultBench.soon("it grants again")
                    .ignoreException(LockRefusedException.class)
                    .until(() ->
                            each.lock("a").tryAcquire().map(FaultBench::closed).isPresent());
        }
        assertThat(bench.client(strict(server, longest)).lock("a").tryAcquire())
                .as("one that comes later")
                .isPresent();
    }

    /** What was over before must not begin again. */
    @ParameterizedTest
    @EachProduct
    void back_afterItWasShut_staysOpen(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        Duration longest = Duration.ofSeconds(1);
        LockClient client = shut(server, longest);
        FaultBench.soon("it is noted that it grants again").until(() -> shutUntil(server) == 0);
        CLOCK.step(HOUR.negated());
        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(bench.client(strict(server, longest)).lock("b").tryAcquire()).isPresent();
    }

    private long shutUntil(DatabaseServer server) throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT shut_until FROM " + bench.table() + "_meta")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The question was late, and the answer is not older than that: what is certain of the clock counts from there. */
    @ParameterizedTest
    @EachProduct
    void question_isLate_shutDatabaseIsNotTakenForOpen(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        ManualTime time = new ManualTime();
        AtomicBoolean late = new AtomicBoolean();
        Duration delay = Duration.ofSeconds(50); // and for a minute it is shut
        JdbcLocksBuilder builder = JdbcLocks.builder(Spy.on(server::connect, sql -> {
                    boolean asksForTheClock = sql.startsWith("SELECT CAST(") && !sql.contains(",");
                    if (asksForTheClock && late.getAndSet(false)) {
                        time.advance(delay);
                        CLOCK.step(delay);
                    }
                }))
                .table(bench.table())
                .createTables()
                .safety(Safety.STRICT)
                .requestTimeout(Duration.ofSeconds(8));
        bench.client(builder).close();
        FaultBench.execute(server, "DELETE FROM " + bench.table() + "_lock");
        LockBackend backend = bench.open(builder.newBackend(time));
        late.set(true);
        backend.start("client", new MutedListener());
        assertThat(late).as("it has asked").isFalse();
        Claim claim = Claim.builder(new ClaimId("client", 1), new Resource(LockKind.LOCK, "a", 1), delay)
                .build();
        assertThat(backend.attempt(claim, FaultBench.PATIENCE)).isInstanceOf(AttemptResult.Refused.class);
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
