package io.holdfast.redis;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.redis.backend.RedisBackend;
import io.holdfast.redis.doctor.Examination;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.redis.servers.Topologies;
import io.holdfast.redis.settings.OptionRange;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/**
 * The options of a client on Redis. Each method returns this.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for an option out of its range, at {@link #connect} at the
 * latest; {@link io.holdfast.LockStoreException} when the server cannot be reached or cannot be used.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * <pre>{@code
 * LockClient locks = RedisLocks.builder("redis-sentinel://s1,s2,s3/mymaster")
 *         .prefix("billing")
 *         .requestTimeout(Duration.ofSeconds(1))
 *         .connect();
 * }</pre>
 *
 * @since 0.1
 */
public final class RedisLocksBuilder {
    private final RedisUrl url;
    private String prefix = "holdfast";
    private @Nullable String clientName;
    private Duration requestTimeout = Duration.ofSeconds(2);
    private Duration connectTimeout = Duration.ofSeconds(2);
    private int connections = 32;
    private Safety safety;
    private Duration longestLease = Duration.ofMinutes(1);
    private Timing time = Timing.SYSTEM;
    private int replicas;
    private Duration replicasTimeout = Duration.ofSeconds(1);
    private boolean acceptsEviction;
    private boolean startsEmpty;
    private int members;
    private LockOptions defaults = LockOptions.defaults();
    private @Nullable SSLSocketFactory tls;
    private SocketFactory sockets = SocketFactory.getDefault();
    private @Nullable RedisDriver driver;

    RedisLocksBuilder(RedisUrl url) {
        this.url = url;
        this.safety = url.mode() == RedisUrl.Mode.SENTINEL ? Safety.STRICT : Safety.AVAILABLE;
    }

    /**
     * Sets the prefix of every key and channel. It keeps applications that share a server apart.
     *
     * @param prefix letters, digits, dots, dashes, underscores and colons; {@code holdfast} if not set
     * @return this
     */
    public RedisLocksBuilder prefix(String prefix) {
        this.prefix = Objects.requireNonNull(prefix, "prefix");
        return this;
    }

    /**
     * Sets a name for people, shown by {@code CLIENT LIST} and beside every lock of this client.
     *
     * @param name without blanks
     * @return this
     */
    public RedisLocksBuilder clientName(String name) {
        this.clientName = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets how long one request may take. A request that reaches the server later has no effect.
     *
     * @param timeout from a millisecond to a minute; two seconds if not set
     * @return this
     */
    public RedisLocksBuilder requestTimeout(Duration timeout) {
        this.requestTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets how long to wait for a new connection.
     *
     * @param timeout from a millisecond to a minute; two seconds if not set
     * @return this
     */
    public RedisLocksBuilder connectTimeout(Duration timeout) {
        this.connectTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets how many connections to one server callers use at most. A thread needs one for a round trip, not while it
     * holds or waits; more callers than that share connections. Renewals and the subscription have connections of their
     * own. Idle connections are closed after some seconds.
     *
     * @param connections at least one; 32 if not set
     * @return this
     */
    public RedisLocksBuilder connections(int connections) {
        this.connections = connections;
        return this;
    }

    /**
     * Sets what happens when a server may have forgotten who holds what. {@link Safety#STRICT} needs Redis 7.0, and
     * {@code min-replicas-to-write} on a replicated server.
     *
     * @param safety {@link Safety#STRICT} for Sentinel and {@link Safety#AVAILABLE} otherwise if not set
     * @return this
     */
    public RedisLocksBuilder safety(Safety safety) {
        this.safety = Objects.requireNonNull(safety, "safety");
        return this;
    }

    /**
     * Sets the longest lease that any client may ask for with {@link Safety#STRICT}. A server that may have forgotten
     * something waits at least that long. Must be the same in every client.
     *
     * @param lease a minute if not set
     * @return this
     */
    public RedisLocksBuilder longestLease(Duration lease) {
        this.longestLease = Objects.requireNonNull(lease, "lease");
        return this;
    }

    /**
     * Returns the longest lease that anybody may ask for.
     *
     * @return the value of {@link #longestLease(Duration)} where a server is guarded; empty where any lease will do
     */
    public Optional<Duration> leaseLimit() {
        return safety == Safety.STRICT ? Optional.of(longestLease) : Optional.empty();
    }

    /**
     * Hands out a lock only when this many replicas have it. Costs one more round trip for each grant; makes a loss in
     * a failover less likely, but not impossible.
     *
     * @param replicas at least one
     * @param timeout how long to wait for them; with too few by then, the lock is given back and acquiring fails
     * @return this
     */
    public RedisLocksBuilder replicas(int replicas, Duration timeout) {
        if (replicas < 1) {
            throw new IllegalArgumentException(
                    "replicas is " + replicas + ", expected at least 1; leave it out for none");
        }
        this.replicas = replicas;
        this.replicasTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Uses a server even if its {@code maxmemory-policy} lets it drop keys. A dropped lock is free while its holder
     * still believes in it.
     *
     * @return this
     */
    public RedisLocksBuilder acceptEviction() {
        this.acceptsEviction = true;
        return this;
    }

    /**
     * Declares that nobody holds anything, so a guarded server that is new, or was emptied on purpose, need not wait.
     * If it is not true, two clients may get one lock.
     *
     * @return this
     */
    public RedisLocksBuilder startEmpty() {
        this.startsEmpty = true;
        return this;
    }

    /**
     * Sets the options of locks for which none are given.
     *
     * @param defaults the options
     * @return this
     */
    public RedisLocksBuilder defaults(LockOptions defaults) {
        this.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /**
     * Sets how TLS connections are made, for a {@code rediss} URL. By default, the JVM's own trust store decides.
     *
     * @param factory makes the sockets
     * @return this
     */
    public RedisLocksBuilder tls(SSLSocketFactory factory) {
        this.tls = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /**
     * Sets how sockets are made, for instance to check who accepted a connection before a password is sent. Every new
     * connection to a server gets an unconnected socket from it; with TLS, the encrypted socket is layered over it. Has
     * no effect on a {@link #driver} of your own.
     *
     * @param factory makes sockets that are not connected; one that throws while connecting refuses that connection
     * @return this
     */
    public RedisLocksBuilder sockets(SocketFactory factory) {
        this.sockets = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /**
     * Sets which client library to use.
     *
     * @param driver closed with the client; Jedis if not set
     * @return this
     */
    public RedisLocksBuilder driver(RedisDriver driver) {
        this.driver = Objects.requireNonNull(driver, "driver");
        return this;
    }

    /**
     * Opens the client.
     *
     * @return the client, to be closed
     */
    public LockClient connect() {
        return RedisLocks.start(backend(), defaults);
    }

    /**
     * Makes the backend without a client, for code that uses the engine directly. It uses the machine's clocks, so an
     * engine on it needs {@link TimeSource#system()} too.
     *
     * @return a backend that was not started
     */
    public LockBackend newBackend() {
        return backend();
    }

    /**
     * Makes the backend without a client on it, as {@link #newBackend()} does, with clocks of the caller's making.
     *
     * @param clocks those of the engine on it
     * @return a backend that was not started
     */
    public LockBackend newBackend(TimeSource clocks) {
        this.time = new Timing(Objects.requireNonNull(clocks, "clocks"));
        return backend();
    }

    /** The backend of {@link RedisMember}. */
    LockBackend newMember(int members, TimeSource clocks) {
        if (url.mode() != RedisUrl.Mode.SINGLE) {
            throw new IllegalArgumentException(
                    "a quorum is made of servers that know nothing of each other; '" + url.addresses()
                            + "' are Sentinels or a cluster. Name each server with a redis:// URL of its own");
        }
        this.members = members;
        safety = Safety.STRICT;
        return newBackend(clocks);
    }

    /**
     * Examines every server behind the URL as an opening client would, and also its distance, its clock, its
     * persistence and its replicas. Reports everything that is wrong, not only the first problem. Opens and closes a
     * client on the way; nothing stays behind for longer than ten seconds.
     *
     * @return what was found, server by server
     * @throws IllegalArgumentException if the URL or an option makes no sense
     */
    public List<Finding> examine() {
        return examineMember(0);
    }

    /** The findings of {@link RedisMember}; zero for a server that does not vote. */
    List<Finding> examineMember(int members) {
        RedisSettings wanted = members > 0 ? settings().asMember(members) : settings();
        RedisSettings unguarded = wanted.unguarded(); // an examination must not shut a server that was never marked
        try (RedisDriver servers = JedisDriver.create(config(true), sockets);
                RedisDriver sentinels = JedisDriver.create(config(false), sockets)) {
            return new Examination(url, wanted, servers, sentinels)
                    .run(() -> RedisLocks.start(backend(unguarded), defaults));
        }
    }

    private RedisBackend backend() {
        return backend(settings());
    }

    private RedisBackend backend(RedisSettings settings) {
        RedisDriver servers = driver != null ? driver : JedisDriver.create(config(true), sockets);
        RedisDriver sentinels = JedisDriver.create(config(false), sockets);
        return new RedisBackend(new Topologies(url, servers, sentinels, connections), settings);
    }

    private RedisSettings settings() {
        OptionRange.timeout("connectTimeout", connectTimeout);
        OptionRange.atLeastOne("connections", connections);
        return new RedisSettings(
                prefix,
                clientName,
                requestTimeout,
                time,
                safety == Safety.STRICT,
                longestLease,
                replicas,
                replicasTimeout,
                acceptsEviction,
                startsEmpty,
                members);
    }

    /** Sentinels have no databases, and as a rule no users. A socket factory is the only way to use any trust store. */
    @SuppressWarnings("deprecation")
    private JedisClientConfig config(boolean login) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .connectionTimeoutMillis((int) connectTimeout.toMillis())
                .socketTimeoutMillis((int) connectTimeout.toMillis()) // while connecting; each call has its own
                .ssl(url.tls());
        if (tls != null) {
            config.sslSocketFactory(tls);
        }
        if (clientName != null) {
            config.clientName(clientName);
        }
        if (login) {
            config.user(url.user()).password(url.password()).database(url.database());
        }
        return config.build();
    }
}
