package io.holdfast.torture;

import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One server. */
final class SingleSite extends Site {
    private final RedisServer server;

    SingleSite(ClockShim clock, RedisVersion version) {
        super(clock);
        this.server = configured(RedisServer.builder(version), clock).start();
    }

    @Override
    String url() {
        return server.uri();
    }

    @Override
    List<RedisServer> servers() {
        return List.of(server);
    }

    @Override
    List<RedisServer> masters() {
        return servers();
    }

    @Override
    void awaitHealthy() {
        server.command("PING");
    }

    @Override
    void failOver(Rng rng) {
        throw impossible("failover");
    }

    @Override
    void loseWrites(Rng rng) {
        throw impossible("failover");
    }

    @Override
    void part(RedisServer master, boolean silently, Rng rng) {
        throw impossible("partition");
    }

    @Override
    void rejoin() {
        throw impossible("partition");
    }

    @Override
    BooleanSupplier replacementOf(RedisServer master) {
        throw impossible("failover");
    }

    @Override
    public void close() {
        server.close();
    }
}
