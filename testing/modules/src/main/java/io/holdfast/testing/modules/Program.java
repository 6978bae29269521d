package io.holdfast.testing.modules;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.fence.FenceEntry;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.tck.BackendContract;
import io.holdfast.zookeeper.ZooKeeperLocks;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;

/**
 * Takes a lock in memory, in a quorum and in a database, asks for a Redis and a ZooKeeper that are not there, and names the modules
 * that it got all
 * this from.
 */
public final class Program {
    private Program() {}

    /**
     * Runs.
     *
     * @param arguments none
     * @throws IOException if no port can be had
     */
    public static void main(String[] arguments) throws IOException {
        try (LockClient locks = MemoryLocks.create()) {
            locks.lock("order:42").run(lease -> System.out.println("memory: token " + lease.token()));
        }
        List<MemoryStore> stores = List.of(new MemoryStore(), new MemoryStore(), new MemoryStore());
        try (LockClient locks =
                QuorumLocks.over(stores.stream().map(MemoryStore::connect).toList())) {
            System.out.println("quorum: " + locks.lock("order:42").call(lease -> lease.isValid()));
        }
        try (LockClient locks = JdbcLocks.builder("jdbc:h2:mem:modules;DB_CLOSE_DELAY=-1", "", "")
                .createTables()
                .connect()) {
            System.out.println("jdbc: " + locks.lock("order:42").call(lease -> lease.isValid()));
        }
        try (LockClient locks = RedisLocks.connect("redis://127.0.0.1:" + freePort())) {
            System.out.println("redis: connected as " + locks.id());
        } catch (LockStoreException expected) {
            System.out.println("redis: " + expected.getMessage());
        }
        try (LockClient locks = ZooKeeperLocks.connect("127.0.0.1:" + freePort())) {
            System.out.println("zookeeper: connected as " + locks.id());
        } catch (LockStoreException expected) {
            System.out.println("zookeeper: " + expected.getMessage());
        }
        System.out.println("zookeeper is in " + ZooKeeperLocks.class.getModule().getName());
        Stream.of(
                        MemoryLocks.class,
                        RedisLocks.class,
                        QuorumLocks.class,
                        JdbcLocks.class,
                        FenceEntry.class,
                        BackendContract.class)
                .map(Class::getModule)
                .forEach(module -> System.out.println(module.getName() + " exports "
                        + module.getDescriptor().exports().stream()
                                .map(Object::toString)
                                .sorted()
                                .toList()));
        System.out.println(LockClient.class.getModule().getName() + " exports "
                + LockClient.class.getModule().getDescriptor().exports().stream()
                        .map(Object::toString)
                        .sorted()
                        .toList());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
