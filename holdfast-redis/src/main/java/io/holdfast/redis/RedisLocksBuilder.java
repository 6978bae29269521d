package io.holdfast.redis;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.redis.driver.RedisCredentials;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.settings.RedisUrl;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client on Redis. Each method returns this.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for an option out of its range, at {@link #connect} at the
 * latest; {@link LockStoreException} when the server cannot be reached, its subtype
 * {@link io.holdfast.LockStoreUnfitException} when it cannot be used. {@link IllegalStateException} if there is no
 * Redis client library; the message says what to add.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * <pre>{@code
 * LockClient locks = RedisLocks.builder("redis-sentinel://s1,s2,s3/mymaster").prefix("billing").connect();
 * }</pre>
 *
 * @since 0.1
 */
public final class RedisLocksBuilder {
    final Options options;

    RedisLocksBuilder(RedisUrl url) {
        this.options = new Options(url);
    }

    /**
     * Names a server, or one more Sentinel or server of a cluster.
     *
     * @param host a host name or an address, without brackets
     * @param port its port
     * @return this
     */
    public RedisLocksBuilder address(String host, int port) {
        options.url = options.url.and(Objects.requireNonNull(host, "host"), port);
        return this;
    }

    /**
     * Says that the addresses are those of a cluster, as with a {@code redis-cluster} URL.
     *
     * @return this
     */
    public RedisLocksBuilder cluster() {
        options.url = options.url.as(RedisUrl.Mode.CLUSTER, "");
        return this;
    }

    /**
     * Says that the addresses are those of Sentinels, as with a {@code redis-sentinel} URL.
     *
     * @param master the name of the master that they watch
     * @return this
     */
    public RedisLocksBuilder sentinels(String master) {
        options.url = options.url.as(RedisUrl.Mode.SENTINEL, Objects.requireNonNull(master, "master"));
        return this;
    }

    /**
     * Sets the database.
     *
     * @param database its number; zero, or that of the URL, if not set
     * @return this
     */
    public RedisLocksBuilder database(int database) {
        options.url = options.url.in(database);
        return this;
    }

    /**
     * Sets who logs in, instead of the user and password of the URL.
     *
     * @param user an ACL user, or null for the default user
     * @param password never printed
     * @return this
     */
    public RedisLocksBuilder login(@Nullable String user, String password) {
        return credentials(Options.fixed(user, password));
    }

    /**
     * Sets who logs in, where that changes: tokens that end, passwords that are rotated. Asked for each new connection;
     * a connection that is open stays as it is.
     *
     * @param credentials must not block for long; what it throws is the cause of a {@code LockStoreException}
     * @return this
     */
    public RedisLocksBuilder credentials(Supplier<RedisCredentials> credentials) {
        options.credentials = Objects.requireNonNull(credentials, "credentials");
        return this;
    }

    /**
     * Sets who logs in to the Sentinels. By default nobody does: the user and password of the URL are for the servers.
     *
     * @param user an ACL user, or null for the default user
     * @param password never printed
     * @return this
     */
    public RedisLocksBuilder sentinelLogin(@Nullable String user, String password) {
        options.sentinelCredentials = Options.fixed(user, password);
        return this;
    }

    /**
     * Opens the client although nobody answers. It goes on looking for the servers; until they answer, calls end with
     * {@link LockStoreException}. A server that answers and is unfit, or refuses the login, still fails the
     * opening with {@link io.holdfast.LockStoreUnfitException}; one that comes later refuses calls with that.
     *
     * @return this
     */
    public RedisLocksBuilder mayBeDown() {
        return mayBeDown(Options::warn);
    }

    /**
     * Opens the client although nobody answers, as {@link #mayBeDown()} does, without its warning in the log.
     *
     * @param told is told what is wrong, at most once and while the client is opened
     * @return this
     */
    public RedisLocksBuilder mayBeDown(Consumer<? super LockStoreException> told) {
        options.whenDown = Objects.requireNonNull(told, "told");
        return this;
    }

    /**
     * Sets the prefix of every key and channel. It keeps applications that share a server apart.
     *
     * @param prefix letters, digits, dots, dashes, underscores and colons; {@code holdfast} if not set
     * @return this
     */
    public RedisLocksBuilder prefix(String prefix) {
        options.prefix = Objects.requireNonNull(prefix, "prefix");
        return this;
    }

    /**
     * Sets a name for people, shown by {@code CLIENT LIST} and beside every lock of this client.
     *
     * @param name without blanks
     * @return this
     */
    public RedisLocksBuilder clientName(String name) {
        options.clientName = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets how long one request may take. A request that reaches the server later has no effect.
     *
     * @param timeout from a millisecond to a minute; two seconds if not set
     * @return this
     */
    public RedisLocksBuilder requestTimeout(Duration timeout) {
        options.requestTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets how long to wait for a new connection.
     *
     * @param timeout from a millisecond to a minute; two seconds if not set
     * @return this
     */
    public RedisLocksBuilder connectTimeout(Duration timeout) {
        options.connectTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets how many connections to one server callers use at most. A thread needs one for a round trip, not while it
     * holds or waits; more callers than that share them. Renewals and the subscription have their own. Idle ones close.
     *
     * @param connections at least one; 32 if not set
     * @return this
     */
    public RedisLocksBuilder connections(int connections) {
        options.connections = connections;
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
        options.safety = Objects.requireNonNull(safety, "safety");
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
        options.longestLease = Objects.requireNonNull(lease, "lease");
        return this;
    }

    /**
     * Returns the longest lease that anybody may ask for.
     *
     * @return the value of {@link #longestLease(Duration)} where a server is guarded; empty where any lease will do
     */
    public Optional<Duration> leaseLimit() {
        return options.leaseLimit();
    }

    /**
     * Hands out a lock only when this many replicas have it: one more trip for each grant, and fewer losses.
     *
     * @param replicas at least one
     * @param timeout how long to wait for them; with too few by then, the lock is given back and acquiring fails
     * @return this
     */
    public RedisLocksBuilder replicas(int replicas, Duration timeout) {
        options.replicas(replicas, timeout);
        return this;
    }

    /**
     * Uses a server even if its {@code maxmemory-policy} lets it drop keys, and with them locks that are held.
     *
     * @return this
     */
    public RedisLocksBuilder acceptEviction() {
        options.acceptsEviction = true;
        return this;
    }

    /**
     * Declares that nobody holds anything: a guarded server that is new need not wait. If not true, two may get a lock.
     *
     * @return this
     */
    public RedisLocksBuilder startEmpty() {
        options.startsEmpty = true;
        return this;
    }

    /**
     * Sets the options of locks for which none are given.
     *
     * @param defaults the options
     * @return this
     */
    public RedisLocksBuilder defaults(LockOptions defaults) {
        options.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /**
     * Sets how long somebody waits before this client looks for a deadlock, and about how often it looks.
     *
     * @param delay 250 ms to a minute, or zero to look for none; a second if not set
     * @return this
     */
    public RedisLocksBuilder deadlockDelay(Duration delay) {
        options.deadlockDelay(delay);
        return this;
    }

    /**
     * Connects with TLS, as with a {@code rediss} URL.
     *
     * @return this
     */
    public RedisLocksBuilder tls() {
        options.url = options.url.encrypted();
        return this;
    }

    /**
     * Sets how TLS connections are made, for a {@code rediss} URL. By default, the JVM's own trust store decides. Only
     * Jedis can use it; {@link #tlsContext} is for any driver.
     *
     * @param factory makes the sockets
     * @return this
     */
    public RedisLocksBuilder tls(SSLSocketFactory factory) {
        options.tlsSockets = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /**
     * Connects with TLS, with keys and trust of the application. The supplier is asked for each new connection, so that
     * certificates may change without a restart.
     *
     * @param context gives the context; must not block for long
     * @return this
     */
    public RedisLocksBuilder tlsContext(Supplier<SSLContext> context) {
        options.tlsContext = Objects.requireNonNull(context, "context");
        return tls();
    }

    /**
     * Sets the protocols and cipher suites of TLS connections. The certificate must be for the host all the same.
     *
     * @param parameters not to be changed afterwards
     * @return this
     */
    public RedisLocksBuilder tlsParameters(SSLParameters parameters) {
        options.tlsParameters = Objects.requireNonNull(parameters, "parameters");
        return this;
    }

    /**
     * Sets how sockets are made, for instance to check who accepted a connection before a password is sent. TLS is
     * layered over them. Has no effect on a {@link #driver} of your own.
     *
     * @param factory makes sockets that are not connected; one that throws while connecting refuses that connection
     * @return this
     */
    public RedisLocksBuilder sockets(SocketFactory factory) {
        options.sockets = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /**
     * Sets which client library to use.
     *
     * @param driver closed with the client; if not set, Jedis, or Lettuce where only that is
     * @return this
     */
    public RedisLocksBuilder driver(RedisDriver driver) {
        options.driver = Objects.requireNonNull(driver, "driver");
        return this;
    }

    /**
     * Opens the client.
     *
     * @return the client, to be closed
     * @throws io.holdfast.LockStoreUnfitException if a server answered and cannot be used, or refused the login
     */
    public LockClient connect() {
        return options.connect();
    }

    /**
     * Makes the backend without a client, for an engine that uses {@link TimeSource#system()} as the backend does.
     *
     * @return a backend that was not started
     */
    public LockBackend newBackend() {
        return options.backend();
    }

    /**
     * Makes the backend without a client on it, as {@link #newBackend()} does, with clocks that the caller provides.
     *
     * @param clocks those of the engine on it
     * @return a backend that was not started
     */
    public LockBackend newBackend(TimeSource clocks) {
        return options.backend(new Timing(Objects.requireNonNull(clocks, "clocks")));
    }

    /**
     * Examines every server behind the URL as an opening client would, and also its distance, clock, persistence and
     * replicas. Reports all that is wrong. Opens and closes a client on the way; what it leaves ends in ten seconds.
     *
     * @return what was found, server by server
     * @throws IllegalArgumentException if the URL or an option makes no sense
     */
    public List<Finding> examine() {
        return options.examine(0);
    }
}
