package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisCredentials;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.DefaultRedisCredentialsProvider;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/**
 * The options of a client as a configuration of one connection. It is made anew for each, so that a password or a
 * certificate may have changed since the last one.
 */
@SuppressWarnings("deprecation") // the new way to set TLS is not in every version of Jedis
final class JedisAccess implements JedisClientConfig {
    private final RedisAccess access;
    private final @Nullable RedisCredentials credentials;
    private final @Nullable SSLContext context;

    private JedisAccess(RedisAccess access, RedisAddress address) {
        this.access = access;
        this.credentials = access.currentCredentials(address);
        this.context = access.currentContext(address);
    }

    static JedisDriver driver(RedisAccess access) {
        SocketFactory sockets = access.sockets() == null ? SocketFactory.getDefault() : access.sockets();
        return new JedisDriver(address -> new JedisAccess(access, address), sockets, access.connectTimeout());
    }

    /** Nothing is negotiated: it is RESP2 without that, and Jedis would load a hundred classes for the answer. */
    @Override
    public @Nullable RedisProtocol getRedisProtocol() {
        return null;
    }

    /** Jedis 8 asks for this, and would negotiate RESP3. */
    @SuppressWarnings({"MissingOverride", "unused"}) // earlier ones do not know it
    public boolean isAutoNegotiateProtocol() {
        return false;
    }

    @Override
    public ClientSetInfoConfig getClientSetInfoConfig() {
        return ClientSetInfoConfig.DISABLED;
    }

    @Override
    public int getConnectionTimeoutMillis() {
        return (int) access.connectTimeout().toMillis();
    }

    /** While connecting; each call has its own. */
    @Override
    public int getSocketTimeoutMillis() {
        return getConnectionTimeoutMillis();
    }

    @Override
    public @Nullable Supplier<redis.clients.jedis.RedisCredentials> getCredentialsProvider() {
        return credentials == null
                ? null
                : new DefaultRedisCredentialsProvider(
                        new DefaultRedisCredentials(credentials.user(), credentials.password()));
    }

    @Override
    public int getDatabase() {
        return access.database();
    }

    @Override
    public @Nullable String getClientName() {
        return access.clientName();
    }

    @Override
    public boolean isSsl() {
        return access.isEncrypted();
    }

    @Override
    public @Nullable SSLSocketFactory getSslSocketFactory() {
        return context != null ? context.getSocketFactory() : access.tls().sockets();
    }

    @Override
    public @Nullable SSLParameters getSslParameters() {
        return access.tls().parameters();
    }
}
