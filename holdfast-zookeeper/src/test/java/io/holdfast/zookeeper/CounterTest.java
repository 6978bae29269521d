package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import io.holdfast.zookeeper.line.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A name whose counter is almost used up. */
@Tag("integration")
class CounterTest {
    private static final String PARENT = "/holdfast/lock:a";
    private static final String PERMITS = "/holdfast/semaphore:a";
    private static final int WORN = Integer.MAX_VALUE - (1 << 20);
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Test
    void counter_nearItsEnd_beginsAnewAndTokensGrow() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            long last;
            try (LockClient locks = ZooKeeperLocks.connect(server.address())) {
                Lease lease = locks.lock("a").acquire();
                last = lease.token();
                lease.close();
            }
            server.stop();
            startCounter(server.data().resolve("version-2"), WORN - 3, PARENT);
            server.startAgain();
            ZooKeeper operator = new ZooKeeper(server.address(), 10_000, event -> {});
            operator.delete(PARENT + "/filler", -1);
            LockOptions patient = LockOptions.defaults().waitThroughOutages(PATIENCE);
            boolean high = false;
            try (LockClient locks =
                    ZooKeeperLocks.builder(server.address()).defaults(patient).connect()) {
                for (int round = 0; round < 8; round++) {
                    try (Lease lease = locks.lock("a").tryAcquire(PATIENCE).orElseThrow()) {
                        assertThat(lease.token()).isGreaterThan(last);
                        last = lease.token();
                        int number = number(operator, PARENT);
                        assertThat(number).isLessThan(WORN);
                        high |= number > Integer.MAX_VALUE / 2;
                        if (round == 7) {
                            assertThat(number).as("after it began anew").isLessThan(1_000);
                        }
                    }
                }
            }
            assertThat(high).as("it did stand there").isTrue();
            operator.close();
        }
    }

    /** Whoever holds goes on; nobody comes beside it, though there is room; and then it begins anew. */
    @Test
    void counterOfPermits_usedUpUnderAHolder_beginsAnewWhenItLeaves() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            try (LockClient locks = ZooKeeperLocks.connect(server.address())) {
                locks.semaphore("a", 2).acquire().close();
            }
            server.stop();
            startCounter(server.data().resolve("version-2"), WORN - 1, PERMITS);
            server.startAgain();
            ZooKeeper operator = new ZooKeeper(server.address(), 10_000, event -> {});
            operator.delete(PERMITS + "/filler", -1);
            LockOptions patient = LockOptions.defaults().waitThroughOutages(PATIENCE);
            try (LockClient holder = ZooKeeperLocks.connect(server.address());
                    LockClient other = ZooKeeperLocks.builder(server.address())
                            .defaults(patient)
                            .connect()) {
                Lease last = holder.semaphore("a", 2).acquire();
                assertThat(number(operator, PERMITS)).as("the last one").isEqualTo(WORN - 1);
                assertThatThrownBy(() -> holder.semaphore("a", 2).tryAcquire())
                        .isInstanceOf(LockRefusedException.class)
                        .hasMessageContaining("the counter of this name is used up");
                CompletableFuture<Lease> next = other.semaphore("a", 2).acquireAsync();
                for (int round = 0; round < 3; round++) { // it comes, and has to go
                    long before = lastChange(operator);
                    await().atMost(PATIENCE).until(() -> lastChange(operator) > before);
                }
                assertThat(next).isNotDone();
                assertThat(last.isValid()).isTrue();

                last.close();

                Lease first = next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(first.token()).isGreaterThan(last.token());
                assertThat(number(operator, PERMITS)).as("after it began anew").isLessThan(1_000);
                assertThat(holder.semaphore("a", 2).tryAcquire()).isPresent();
            }
            operator.close();
        }
    }

    /** The transaction that changed the nodes of the permits last. */
    private static long lastChange(ZooKeeper operator) throws Exception {
        return operator.exists(PERMITS, false).getPzxid();
    }

    private static int number(ZooKeeper operator, String parent) throws Exception {
        operator.sync(parent);
        List<String> children = operator.getChildren(parent, false);
        assertThat(children).hasSize(1);
        return Member.read(children.get(0)).orElseThrow().number();
    }

    /** Writes a transaction behind the server's back: no client can set that counter. */
    private static void startCounter(Path folder, int value, String parent) throws Exception {
        FileTxnLog log = new FileTxnLog(folder.toFile());
        long zxid = log.getLastLoggedZxid() + 1;
        TxnHeader header = new TxnHeader(0, 0, zxid, 0, ZooDefs.OpCode.create);
        CreateTxn filler = new CreateTxn(parent + "/filler", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, false, value);
        log.append(new Request(0L, 0, ZooDefs.OpCode.create, header, filler, zxid));
        log.commit();
        log.close();
    }
}
