package io.holdfast.comparison;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;

/** One call of a script that does nothing at each end, over the connections that Holdfast would use. */
final class LimitPeer implements Peer {
    /** As many as Holdfast has if it is not told otherwise. */
    private static final int CONNECTIONS = 32;

    private static final byte[] ONE_KEY = bytes("1");

    private final RedisClient redis;
    private final byte[] script;

    LimitPeer(String store) {
        URI address = URI.create(store);
        ConnectionPoolConfig size = new ConnectionPoolConfig();
        size.setMaxTotal(CONNECTIONS);
        size.setMaxIdle(CONNECTIONS);
        size.setJmxEnabled(false);
        redis = RedisClient.builder()
                .hostAndPort(address.getHost(), address.getPort())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .protocol(RedisProtocol.RESP2)
                        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                        .sslOptions(store.startsWith("rediss:") ? SslOptions.defaults() : null)
                        .build())
                .poolConfig(size)
                .build();
        script = bytes(redis.scriptLoad("return 1"));
    }

    @Override
    public Section mutex(String name) {
        return new Calls(bytes(name));
    }

    @Override
    public void close() {
        redis.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final class Calls implements Section {
        private final byte[] key;

        Calls(byte[] key) {
            this.key = key;
        }

        @Override
        public void enter() {
            call();
        }

        @Override
        public void exit() {
            call();
        }

        private void call() {
            try (Connection connection = redis.getPool().getResource()) {
                connection.sendCommand(Command.EVALSHA, script, ONE_KEY, key);
                connection.getOne();
            }
        }
    }
}
