package io.holdfast.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** A session of the run itself: looks at what is there. */
final class ZooKeeperEye implements AutoCloseable {
    private static final int SESSION_MILLIS = 4_000;
    private static final int PATIENCE_MILLIS = 2_000;

    /** Below it each client has a node for as long as it lives. */
    private static final String CLIENTS = ".clients";

    private final ZooKeeper zooKeeper;

    private ZooKeeperEye(ZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** A session of its own. */
    static ZooKeeperEye open(String servers) throws KeeperException {
        CountDownLatch connected = new CountDownLatch(1);
        try {
            ZooKeeperEye eye = new ZooKeeperEye(new ZooKeeper(servers, SESSION_MILLIS, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            }));
            if (connected.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return eye;
            }
            eye.close();
            throw new KeeperException.ConnectionLossException();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The claims below the root; those of them only that outlive their session, if so asked. */
    List<String> claims(String root, boolean persistent) throws KeeperException {
        List<String> claims = new ArrayList<>();
        for (String name : children(root)) {
            if (name.equals(CLIENTS)) {
                continue;
            }
            for (String child : children(root + '/' + name)) {
                String claim = root + '/' + name + '/' + child;
                Stat stat = exists(claim);
                if (stat != null && (!persistent || stat.getEphemeralOwner() == 0)) {
                    claims.add(claim);
                }
            }
        }
        return claims;
    }

    /** The notes of clients. */
    List<String> clients(String root) throws KeeperException {
        return children(root + '/' + CLIENTS);
    }

    private List<String> children(String path) throws KeeperException {
        try {
            return zooKeeper.getChildren(path, false);
        } catch (KeeperException.NoNodeException gone) {
            return List.of();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private @Nullable Stat exists(String path) throws KeeperException {
        try {
            return zooKeeper.exists(path, false);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Ends the session. */
    @Override
    public void close() {
        try {
            zooKeeper.close(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
