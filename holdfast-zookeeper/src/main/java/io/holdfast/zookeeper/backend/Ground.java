package io.holdfast.zookeeper.backend;

import io.holdfast.LockStoreException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.data.Stat;

/** The nodes that all clients share: the root with the identity of the store, and the one above all clients. */
final class Ground {
    private final Nodes nodes;
    private final Answers answers;
    private final Paths paths;
    private final String chroot;

    Ground(Nodes nodes, Answers answers, Paths paths, String chroot) {
        this.nodes = nodes;
        this.answers = answers;
        this.paths = paths;
        this.chroot = chroot;
    }

    /** Makes what is missing, and returns the identity of the store. */
    String prepare() throws KeeperException {
        String storeId = storeId();
        makeSure(paths.clients(), new byte[0]);
        return storeId;
    }

    private String storeId() throws KeeperException {
        byte[] fresh = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        while (true) {
            try {
                Nodes.Content root = answers.await(nodes.read(paths.root()));
                if (root.data().length > 0) {
                    return new String(root.data(), StandardCharsets.UTF_8);
                }
                answers.await(nodes.write(paths.root(), fresh, root.stat().getVersion()));
            } catch (NoNodeException missing) {
                makeAncestors();
                makeSure(paths.root(), fresh);
            } catch (KeeperException.BadVersionException somebodyWasFaster) {
                // and wrote what is read now
            }
        }
    }

    private void makeAncestors() throws KeeperException {
        String root = paths.root();
        for (int slash = root.indexOf('/', 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            String path = root.substring(0, slash);
            Stat there = answers.await(nodes.exists(path));
            if (there == null) {
                makeAncestor(path);
            }
        }
    }

    private void makeAncestor(String path) throws KeeperException {
        try {
            makeSure(path, new byte[0]);
        } catch (KeeperException.NoAuthException forbidden) {
            String what = path.length() <= chroot.length() ? "the path of the connect string, " + chroot : "the root";
            throw new LockStoreException(
                    null,
                    "",
                    what + ", does not exist, and this user may not create " + path
                            + "; somebody who has the permission create on the node above must create it",
                    forbidden,
                    true);
        }
    }

    private void makeSure(String path, byte[] data) throws KeeperException {
        try {
            answers.await(nodes.create(path, data, CreateMode.PERSISTENT));
        } catch (NodeExistsException there) {
            // as it should be
        }
    }
}
