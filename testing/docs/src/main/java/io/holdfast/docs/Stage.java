package io.holdfast.docs;

import io.holdfast.quorum.QuorumLocks;
import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The servers that pages speak of. Pages say {@code redis://localhost:6379}, {@code redis://a:6379} and so on, and
 * {@code jdbc:postgresql://localhost/shop}, and {@code a:2181,b:2181,c:2181} of a ZooKeeper; blocks get the addresses
 * of real servers of this run instead. Each is started when the first block asks for it.
 */
public final class Stage implements AutoCloseable {
    private static final Pattern URL =
            Pattern.compile("rediss?-(?:sentinel|cluster)://[^\"\\s]+|rediss?://[^\"\\s,]+|jdbc:postgresql://[^\"\\s]+|"
                    + "[\\w.:,-]+:2181\\b");
    private static final String DATABASE = "jdbc:postgresql://localhost/shop";
    private static final String ENSEMBLE = "a:2181,b:2181,c:2181";
    private static final List<String> NODES = List.of("redis://a:6379", "redis://b:6379", "redis://c:6379");

    private final RedisServer server = RedisServer.start(RedisVersion.V7_0);
    private final List<RedisServer> nodes = new ArrayList<>();
    private @Nullable RedisSentinels sentinels;
    private @Nullable RedisCluster cluster;
    private @Nullable PostgresServer database;
    private @Nullable ZooKeeperServer zooKeeper;
    private @Nullable RedissonClient redisson;
    private @Nullable CuratorFramework curator;

    String url() {
        return server.uri();
    }

    /** A text with the addresses of this run. */
    String real(String text) {
        return URL.matcher(text).replaceAll(found -> Matcher.quoteReplacement(address(found.group())));
    }

    private String address(String url) {
        if (url.equals("redis://localhost:6379")) {
            return server.uri();
        }
        if (NODES.contains(url)) {
            return nodes().get(NODES.indexOf(url)).uri();
        }
        if (url.equals(DATABASE)) {
            return database().url();
        }
        if (url.equals(ENSEMBLE)) {
            return zooKeeper().address();
        }
        if (url.startsWith("redis-sentinel://") && url.endsWith("/mymaster")) {
            return sentinels().uri();
        }
        if (url.startsWith("redis-cluster://")) {
            return cluster().uri();
        }
        throw new IllegalArgumentException(url + " is no server of the stage; use redis://localhost:6379, one of "
                + NODES + ", redis-sentinel://…/mymaster, redis-cluster://…, " + DATABASE + " or "
                + ENSEMBLE);
    }

    private List<RedisServer> nodes() {
        if (nodes.isEmpty()) {
            NODES.forEach(name -> nodes.add(RedisServer.start(RedisVersion.V7_0)));
            QuorumLocks.builder(nodes.stream().map(RedisServer::uri).toList())
                    .startEmpty()
                    .connect()
                    .close();
        }
        return nodes;
    }

    private PostgresServer database() {
        if (database == null) {
            database = PostgresServer.start();
        }
        return database;
    }

    /** One server stands for all of them: what its clients see is the same. */
    private ZooKeeperServer zooKeeper() {
        if (zooKeeper == null) {
            zooKeeper = ZooKeeperServer.start();
        }
        return zooKeeper;
    }

    private RedisSentinels sentinels() {
        if (sentinels == null) {
            sentinels = RedisSentinels.start(RedisVersion.V7_0);
        }
        return sentinels;
    }

    private RedisCluster cluster() {
        if (cluster == null) {
            cluster = RedisCluster.start(RedisVersion.V7_0);
        }
        return cluster;
    }

    /** The other library, on the same server. */
    RedissonClient redisson() {
        if (redisson == null) {
            Config config = new Config();
            config.useSingleServer().setAddress(server.uri()).setConnectionMinimumIdleSize(1);
            redisson = Redisson.create(config);
        }
        return redisson;
    }

    /** The other library on ZooKeeper, on the same server. */
    CuratorFramework curator() {
        if (curator == null) {
            curator = CuratorFrameworkFactory.newClient(zooKeeper().address(), new RetryOneTime(100));
            curator.start();
        }
        return curator;
    }

    /** A block begins with an empty server. */
    void clear() {
        server.flushAll();
    }

    @Override
    public void close() {
        if (redisson != null) {
            redisson.shutdown();
        }
        if (curator != null) {
            curator.close();
        }
        List<AutoCloseable> all = new ArrayList<>(nodes);
        all.add(server);
        if (sentinels != null) {
            all.add(sentinels);
        }
        if (cluster != null) {
            all.add(cluster);
        }
        if (database != null) {
            all.add(database);
        }
        if (zooKeeper != null) {
            all.add(zooKeeper);
        }
        all.forEach(Stage::close);
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            throw new IllegalStateException(each + " did not end", e);
        }
    }
}
