package io.holdfast.examples;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.examples.articles.HerdLock;
import io.holdfast.examples.articles.OrderedLock;
import io.holdfast.zookeeper.ZooKeeperLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * The "ZooKeeper lock" of the classic articles, what goes wrong with it, and the same in Holdfast. Takes the address of
 * a ZooKeeper. Its nodes are its own, and it leaves none behind.
 */
public final class NodeLocks {
    private static final String ROOT = "/holdfast-example";
    private static final String NAME = "order:42";
    private static final int SESSION_MILLIS = 30_000;
    private static final int CROWD = 5;

    private final String connect;
    private final ZooKeeper a;
    private final ZooKeeper b;

    private NodeLocks(String connect, ZooKeeper a, ZooKeeper b) {
        this.connect = connect;
        this.a = a;
        this.b = b;
    }

    /** Runs the example. */
    public static void main(String[] args) throws IOException, KeeperException, InterruptedException {
        if (args.length != 1) {
            System.err.println("which ZooKeeper? examples/run NodeLocks localhost:2181");
            return;
        }
        try (ZooKeeper a = open(args[0]);
                ZooKeeper b = open(args[0])) {
            NodeLocks example = new NodeLocks(args[0], a, b);
            example.clear(); // a run that was killed left them behind
            try {
                b.create(ROOT, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                example.oneNode();
                example.orderedNodes();
                example.withHoldfast();
            } finally {
                example.clear();
            }
        }
    }

    private void oneNode() throws KeeperException, InterruptedException {
        System.out.println("-- one node, which everybody watches");
        String path = ROOT + "/herd";
        HerdLock holder = new HerdLock(a, path);
        System.out.println("A locks: " + holder.ask().isEmpty());
        List<HerdLock> crowd = new ArrayList<>();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(new HerdLock(b, path));
            crowd.get(i).ask().ifPresent(waiting::add);
        }
        System.out.println("others wait: " + waiting.size());
        holder.unlock();
        waiting.forEach(CompletableFuture::join);
        int served = 0;
        for (HerdLock each : crowd) {
            served += each.ask().isEmpty() ? 1 : 0;
        }
        System.out.println("A gives back. Woken up: " + waiting.size() + ", served: " + served);
    }

    private void orderedNodes() throws KeeperException, InterruptedException {
        System.out.println("-- ordered nodes, of which each watches the one before");
        String parent = ROOT + "/ordered";
        b.create(parent, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        OrderedLock first = new OrderedLock(b, parent);
        OrderedLock second = new OrderedLock(a, parent);
        OrderedLock third = new OrderedLock(b, parent);
        System.out.println("first locks: " + first.ask().isEmpty());
        CompletableFuture<Void> next = second.ask().orElseThrow();
        Optional<CompletableFuture<Void>> afterNext = third.ask();
        first.unlock();
        next.join();
        System.out.println("first gives back. The third was not woken up: "
                + afterNext.map(each -> !each.isDone()).orElse(false));
        System.out.println("second has it: " + second.ask().isEmpty());
        a.close(); // ends the session, as a pause does that is longer than it
        afterNext.orElseThrow().join();
        System.out.println("the session of the second has ended. Third has it: "
                + third.ask().isEmpty() + ", and so believes the second: " + second.believesToHoldIt());
    }

    private void withHoldfast() {
        System.out.println("-- the same with Holdfast");
        LockOptions brief = LockOptions.defaults().fixedLease(Duration.ofMillis(300));
        try (LockClient one = holdfast();
                LockClient other = holdfast()) {
            // Nothing renews it, and nobody gives it back: as if its process stood still.
            Lease paused = one.lock(NAME, brief).acquire();
            try (Lease next = other.lock(NAME).acquire()) {
                System.out.println("A stood still, and B has it. So believes A: " + paused.isValid());
                paused.close();
                System.out.println("A gives back. B still has it: " + next.isValid());
                System.out.println("a fence would refuse A: " + (next.token() > paused.token()));
            }
        }
    }

    private LockClient holdfast() {
        return ZooKeeperLocks.builder(connect).root(ROOT + "/locks").connect();
    }

    private static ZooKeeper open(String connect) throws IOException {
        return new ZooKeeper(connect, SESSION_MILLIS, event -> {});
    }

    private void clear() throws KeeperException, InterruptedException {
        if (b.exists(ROOT, false) != null) {
            ZKUtil.deleteRecursive(b, ROOT);
        }
    }
}
