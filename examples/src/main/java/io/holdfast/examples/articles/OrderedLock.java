package io.holdfast.examples.articles;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The second one: everybody has a node of its own, ZooKeeper numbers them, the first one has the lock, and each watches
 * only the one before it. Nobody wakes up in vain, and who came first is served first. What is missing is everything
 * that happens when a session ends, or an answer is lost.
 */
public final class OrderedLock {
    private final ZooKeeper zooKeeper;
    private final String parent;
    private @Nullable String mine;

    /** One caller's way to the lock of this node. */
    public OrderedLock(ZooKeeper zooKeeper, String parent) {
        this.zooKeeper = zooKeeper;
        this.parent = parent;
    }

    /** Empty: the caller has it now. Otherwise what ends when it is worth to ask again. */
    public Optional<CompletableFuture<Void>> ask() throws KeeperException, InterruptedException {
        if (mine == null) {
            // If the connection breaks here, the node may be there, and nobody knows what it is called.
            mine = zooKeeper.create(
                    parent + "/n-", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
        }
        List<String> children =
                zooKeeper.getChildren(parent, false).stream().sorted().toList();
        int place = children.indexOf(mine.substring(parent.length() + 1));
        if (place == 0) {
            return Optional.empty();
        }
        CompletableFuture<Void> changed = new CompletableFuture<>();
        String before = parent + "/" + children.get(place - 1);
        if (zooKeeper.exists(before, event -> changed.complete(null)) == null) {
            changed.complete(null);
        }
        return Optional.of(changed);
    }

    /** What the caller believes: nobody tells it of the end of its session. */
    public boolean believesToHoldIt() {
        return mine != null;
    }

    /** Deletes the caller's own node. */
    public void unlock() throws KeeperException, InterruptedException {
        if (mine != null) {
            zooKeeper.delete(mine, -1);
            mine = null;
        }
    }
}
