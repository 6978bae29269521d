package io.holdfast.zookeeper.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's calls as futures. Requests are sent in the order in which they are made here, and answered in that order;
 * so whoever makes two at once pays for one round trip.
 *
 * <p>Futures fail with {@link KeeperException}. What depends on them runs in ZooKeeper's own thread and must not wait.
 */
final class Nodes {
    private static final int ANY_VERSION = -1;

    private final ZooKeeper zooKeeper;
    private final List<ACL> acl;

    /** A node that was made. */
    record Created(String path, Stat stat) {}

    /**
     * A node that was made among others.
     *
     * @param transaction that made it
     * @param siblings how many nodes its parent had then, itself included
     */
    record Joined(String path, long transaction, int siblings) {
        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /** What is in a node. */
    static final class Content {
        private final byte[] data;
        private final Stat stat;

        Content(byte[] data, Stat stat) {
            this.data = data;
            this.stat = stat;
        }

        byte[] data() {
            return data;
        }

        Stat stat() {
            return stat;
        }
    }

    Nodes(ZooKeeper zooKeeper, List<ACL> acl) {
        this.zooKeeper = zooKeeper;
        this.acl = acl;
    }

    CompletableFuture<Created> create(String path, byte[] data, CreateMode mode) {
        CompletableFuture<Created> made = new CompletableFuture<>();
        zooKeeper.create(
                path,
                data,
                acl,
                mode,
                (int code, String asked, Object context, String name, Stat stat) ->
                        answer(made, code, path, () -> new Created(name, stat)),
                null);
        return made;
    }

    /**
     * Makes a node with a number, and tells how many there are: one transaction, and one answer. The parent is written
     * to, because the answer to that has the count; whoever stands alone need not ask for names.
     */
    CompletableFuture<Joined> join(String parent, String name, byte[] data, CreateMode mode) {
        CompletableFuture<Joined> joined = new CompletableFuture<>();
        List<Op> both =
                List.of(Op.create(parent + '/' + name, data, acl, mode), Op.setData(parent, new byte[0], ANY_VERSION));
        zooKeeper.multi(
                both,
                (int code, String asked, Object context, List<OpResult> results) ->
                        answer(joined, code, parent, () -> joined(parent, results)),
                null);
        return joined;
    }

    /** All changes of a transaction have its number. Of the path only the end is taken: the rest may have a chroot. */
    private static Joined joined(String parent, List<OpResult> results) {
        String made = ((OpResult.CreateResult) results.get(0)).getPath();
        Stat stat = ((OpResult.SetDataResult) results.get(1)).getStat();
        return new Joined(parent + made.substring(made.lastIndexOf('/')), stat.getMzxid(), stat.getNumChildren());
    }

    /** Those of a node, in no order. Without the node there are none. */
    CompletableFuture<List<String>> children(String path, @Nullable Watcher watcher) {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        zooKeeper.getChildren(
                path,
                watcher,
                (int code, String asked, Object context, List<String> children) -> {
                    if (code == Code.NONODE.intValue()) {
                        found.complete(List.of());
                    } else {
                        answer(found, code, path, () -> children);
                    }
                },
                null);
        return found;
    }

    /** False if there was no such node. */
    CompletableFuture<Boolean> delete(String path) {
        CompletableFuture<Boolean> deleted = new CompletableFuture<>();
        zooKeeper.delete(
                path,
                ANY_VERSION,
                (int code, String asked, Object context) -> {
                    if (code == Code.NONODE.intValue()) {
                        deleted.complete(false);
                    } else {
                        answer(deleted, code, path, () -> true);
                    }
                },
                null);
        return deleted;
    }

    /** Null if there is no such node. */
    CompletableFuture<@Nullable Stat> exists(String path) {
        CompletableFuture<@Nullable Stat> found = new CompletableFuture<>();
        zooKeeper.exists(
                path,
                false,
                (int code, String asked, Object context, Stat stat) -> {
                    if (code == Code.NONODE.intValue()) {
                        found.complete(null);
                    } else {
                        answer(found, code, path, () -> stat);
                    }
                },
                null);
        return found;
    }

    /**
     * The transactions that made these nodes, in their order; null for one that is not there. All in one request: many
     * would each pass every thread of both sides.
     */
    CompletableFuture<List<@Nullable Long>> transactions(List<String> paths) {
        CompletableFuture<List<@Nullable Long>> found = new CompletableFuture<>();
        zooKeeper.multi(
                paths.stream().map(Op::getData).toList(),
                (int code, String asked, Object context, List<OpResult> results) -> {
                    int failure = results == null ? code : failure(results);
                    answer(found, failure, paths.get(0), () -> made(results));
                },
                null);
        return found;
    }

    /** What is wrong with the first of these for which more is wrong than that it is not there. */
    private static int failure(List<OpResult> results) {
        return results.stream()
                .mapToInt(result -> result instanceof OpResult.ErrorResult error ? error.getErr() : Code.OK.intValue())
                .filter(code -> code != Code.OK.intValue() && code != Code.NONODE.intValue())
                .findFirst()
                .orElse(Code.OK.intValue());
    }

    private static List<@Nullable Long> made(List<OpResult> results) {
        List<@Nullable Long> found = new ArrayList<>(results.size());
        for (OpResult result : results) {
            found.add(
                    result instanceof OpResult.GetDataResult there
                            ? there.getStat().getCzxid()
                            : null);
        }
        return found;
    }

    /**
     * Watches a node that is there, and tells whether it is. A watch by {@code exists} would stay if it is not, here
     * and at the server: for as long as the session lasts, since the numbers of nodes do not come back.
     */
    CompletableFuture<Boolean> watch(String path, Watcher watcher) {
        CompletableFuture<Boolean> there = new CompletableFuture<>();
        zooKeeper.getData(
                path,
                watcher,
                (int code, String asked, Object context, byte[] data, Stat stat) -> {
                    if (code == Code.NONODE.intValue()) {
                        there.complete(false);
                    } else {
                        answer(there, code, path, () -> true);
                    }
                },
                null);
        return there;
    }

    /** Who may do what with a node. */
    CompletableFuture<List<ACL>> rights(String path) {
        CompletableFuture<List<ACL>> read = new CompletableFuture<>();
        zooKeeper.getACL(
                path,
                new Stat(),
                (int code, String asked, Object context, List<ACL> found, Stat stat) ->
                        answer(read, code, path, () -> found),
                null);
        return read;
    }

    CompletableFuture<Content> read(String path) {
        CompletableFuture<Content> read = new CompletableFuture<>();
        zooKeeper.getData(
                path,
                false,
                (int code, String asked, Object context, byte[] data, Stat stat) ->
                        answer(read, code, path, () -> new Content(data == null ? new byte[0] : data, stat)),
                null);
        return read;
    }

    CompletableFuture<Stat> write(String path, byte[] data) {
        return write(path, data, ANY_VERSION);
    }

    CompletableFuture<Stat> write(String path, byte[] data, int version) {
        CompletableFuture<Stat> written = new CompletableFuture<>();
        zooKeeper.setData(
                path,
                data,
                version,
                (int code, String asked, Object context, Stat stat) -> answer(written, code, path, () -> stat),
                null);
        return written;
    }

    /** What is read after this is not older than what the leader has now. */
    CompletableFuture<Boolean> sync(String path) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        zooKeeper.sync(path, (int code, String asked, Object context) -> answer(done, code, path, () -> true), null);
        return done;
    }

    private interface Value<T> {
        T get();
    }

    private static <T> void answer(CompletableFuture<T> future, int code, String path, Value<T> value) {
        if (code == Code.OK.intValue()) {
            future.complete(value.get());
        } else {
            future.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }
}
