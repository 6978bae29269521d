package io.holdfast.examples.articles;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * The first "ZooKeeper lock" of the articles: who creates the node has the lock, everybody else watches it. It is
 * ephemeral, so that a crash gives the lock back. When it goes, all wake up and ask again, and all but one in vain: the
 * herd.
 */
public final class HerdLock {
    private final ZooKeeper zooKeeper;
    private final String path;

    /** One caller's way to the lock of this node. */
    public HerdLock(ZooKeeper zooKeeper, String path) {
        this.zooKeeper = zooKeeper;
        this.path = path;
    }

    /** Empty: the caller has it now. Otherwise what ends when it is worth to ask again. */
    public Optional<CompletableFuture<Void>> ask() throws KeeperException, InterruptedException {
        try {
            zooKeeper.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            return Optional.empty();
        } catch (NodeExistsException taken) {
            CompletableFuture<Void> changed = new CompletableFuture<>();
            if (zooKeeper.exists(path, event -> changed.complete(null)) == null) {
                changed.complete(null);
            }
            return Optional.of(changed);
        }
    }

    /** Deletes the node, whoever created it. */
    public void unlock() throws KeeperException, InterruptedException {
        zooKeeper.delete(path, -1);
    }
}
