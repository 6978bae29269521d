package io.holdfast.testing.modules;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.fence.FenceEntry;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.micrometer.LockMeters;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisDriverProvider;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.lettuce.LettuceProvider;
import io.holdfast.spring.Locked;
import io.holdfast.tck.BackendContract;
import io.holdfast.testing.FaultyBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Takes a lock in memory, in a quorum, in a database and around a bean of Spring, asks for a Redis, through both
 * drivers, and a ZooKeeper that are not there, and names the modules that it got all this from.
 */
public final class Program {
    private Program() {}

    /**
     * Runs.
     *
     * @param arguments none
     * @throws IOException if no port is free
     * @throws ReflectiveOperationException if something is not on the class path
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        try (LockClient locks = MemoryLocks.create()) {
            locks.lock("order:42").run(lease -> System.out.println("memory: token " + lease.token()));
        }
        MeterRegistry registry = new SimpleMeterRegistry();
        try (LockClient locks = MemoryLocks.create()) {
            locks.addListener(LockMeters.of(registry));
            locks.lock("order:42").run(lease -> {});
        }
        System.out.println(
                "micrometer: " + registry.get("holdfast.lock.acquire").timer().count());
        System.out.println("spring: " + SpringProgram.ship());
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
        System.out.println("lettuce: " + askThroughLettuce());
        System.out.println("zookeeper: " + askZooKeeper());
        Stream.of(
                        MemoryLocks.class,
                        RedisLocks.class,
                        QuorumLocks.class,
                        JdbcLocks.class,
                        FenceEntry.class,
                        LettuceProvider.class,
                        LockMeters.class,
                        Locked.class,
                        BackendContract.class,
                        FaultyBackend.class)
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

    /** Jedis is chosen where both are there, so the driver is asked itself. */
    private static String askThroughLettuce() throws IOException {
        RedisDriverProvider provider =
                ServiceLoader.load(RedisDriverProvider.class).findFirst().orElseThrow();
        RedisAccess access = new RedisAccess(
                null, 0, null, Duration.ofSeconds(2), false, new RedisAccess.Tls(null, null, null), null);
        try (RedisDriver driver = provider.create(access);
                RedisConnection connection =
                        driver.open(new RedisAddress("127.0.0.1", freePort()), Duration.ofSeconds(2))) {
            return "connected: " + connection;
        } catch (RedisLinkException expected) {
            return provider.library() + " says " + expected.getMessage();
        }
    }

    /** Two of its jars have the same packages, so they are on the class path, and what uses them is there too. */
    private static String askZooKeeper() throws IOException, ReflectiveOperationException {
        Class<?> door = Class.forName("io.holdfast.zookeeper.ZooKeeperLocks");
        try {
            return "connected: " + door.getMethod("connect", String.class).invoke(null, "127.0.0.1:" + freePort());
        } catch (InvocationTargetException refused) {
            return String.valueOf(refused.getCause());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
