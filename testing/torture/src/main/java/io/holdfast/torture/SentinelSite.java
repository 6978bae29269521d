package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A master, two replicas and three Sentinels. */
final class SentinelSite extends Site {
    private static final int REPLICAS = 2;

    private final RedisSentinels sentinels;

    SentinelSite(ClockShim clock, RedisVersion version, Safety safety) {
        super(clock);
        this.sentinels =
                RedisSentinels.startWithFronts(version, REPLICAS, server -> guarded(configured(server, clock), safety));
    }

    @Override
    String url() {
        return sentinels.uri();
    }

    @Override
    List<RedisServer> servers() {
        return sentinels.servers();
    }

    @Override
    List<RedisServer> sentinels() {
        return sentinels.sentinels();
    }

    @Override
    int announcedPort(RedisServer server) {
        return sentinels.announcedPort(server);
    }

    @Override
    List<RedisServer> masters() {
        return List.of(sentinels.currentMaster());
    }

    @Override
    void awaitHealthy() {
        Patience.until("one master and its replicas", () -> {
            RedisServer master = sentinels.awaitMaster();
            return "2".equals(master.info("replication").get("connected_slaves"))
                    && servers().stream().allMatch(server -> server == master || follows(server, master));
        });
    }

    private boolean follows(RedisServer replica, RedisServer master) {
        var info = replica.info("replication");
        return String.valueOf(announcedPort(master)).equals(info.get("master_port"))
                && "up".equals(info.get("master_link_status"));
    }

    @Override
    void failOver(Rng rng) {
        sentinels.failover();
    }

    @Override
    void loseWrites(Rng rng) {
        RedisServer master = sentinels.awaitMaster();
        starveReplicas(master, rng.between(300, 1_500));
        master.kill();
        sentinels.awaitMasterOtherThan(master);
        master.restart();
    }

    @Override
    void part(RedisServer master, boolean silently, Rng rng) {
        sentinels.isolate(master, silently);
    }

    @Override
    void rejoin() {
        sentinels.rejoin();
    }

    @Override
    BooleanSupplier replacementOf(RedisServer master) {
        return () -> {
            RedisServer named = sentinels.currentMaster();
            return named != master && isMaster(named);
        };
    }

    @Override
    public void close() {
        sentinels.close();
    }
}
