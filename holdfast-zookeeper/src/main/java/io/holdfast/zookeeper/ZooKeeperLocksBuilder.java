package io.holdfast.zookeeper;

import io.holdfast.DurationText;
import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.zookeeper.backend.Carried;
import io.holdfast.zookeeper.backend.ConnectString;
import io.holdfast.zookeeper.backend.Credentials;
import io.holdfast.zookeeper.backend.Examination;
import io.holdfast.zookeeper.backend.ZooKeeperBackend;
import io.holdfast.zookeeper.backend.ZooKeeperSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client on ZooKeeper. Each method returns this.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for an option out of its range; {@link
 * io.holdfast.LockStoreException} when ZooKeeper cannot be reached or cannot be used.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * <pre>{@code
 * LockClient locks = ZooKeeperLocks.builder("a:2181,b:2181,c:2181/app")
 *         .session(Duration.ofSeconds(40))
 *         .clientName("billing")
 *         .connect();
 * }</pre>
 *
 * @since 0.1
 */
public final class ZooKeeperLocksBuilder {
    /** Below which node everything is, unless something else is said. */
    public static final String DEFAULT_ROOT = "/holdfast";

    /** The session that is asked for unless something else is said: the longest that a server gives by default. */
    public static final Duration DEFAULT_SESSION = Duration.ofSeconds(40);

    private static final Pattern ROOT = Pattern.compile("(/[A-Za-z0-9_.:@+=~-]{1,100}){1,10}");
    private static final int LEAST_TICKS = 6;
    private static final Duration LONGEST_SESSION = Duration.ofHours(1);
    private static final int LONGEST_NAME = 255;

    private final ConnectString connect;
    private final List<Credentials> credentials = new ArrayList<>();
    private String root = DEFAULT_ROOT;
    private Duration session = DEFAULT_SESSION;
    private Duration tick = Carried.TICK;
    private Duration requestTimeout = Duration.ofSeconds(2);
    private @Nullable List<ACL> acl;
    private @Nullable ZKClientConfig clientConfig;
    private String clientName = "";
    private LockOptions defaults = LockOptions.defaults();
    private Duration deadlockDelay = LockEngine.DEFAULT_DEADLOCK_DELAY;

    ZooKeeperLocksBuilder(String connect) {
        this.connect = ConnectString.parse(connect);
    }

    /**
     * Sets below which node everything is, so that applications that share a ZooKeeper do not meet.
     *
     * @param root begins with a slash and does not end with one; {@value #DEFAULT_ROOT} if not set
     * @return this
     */
    public ZooKeeperLocksBuilder root(String root) {
        if (!ROOT.matcher(root).matches() || ConnectString.isAnyRelative(root)) {
            throw new IllegalArgumentException("root is '" + root
                    + "', expected a path such as /holdfast: a slash at the beginning, none at the end, and between"
                    + " slashes letters, digits and _.:@+=~-");
        }
        this.root = root;
        return this;
    }

    /**
     * Sets how long ZooKeeper keeps what a client holds that does not answer any more. No lease is longer than two
     * thirds of it, or somewhat less below 24 seconds: a fixed lease beyond that is refused, and one that is renewed is
     * shortened to it. It must be at least six ticks of the servers, which clients are not told. A server gives at most
     * 20 of its ticks, 40 seconds by default; if it gives less than is asked for, opening the client fails and says how
     * much it would give.
     *
     * @param session from twelve seconds to an hour; 40 seconds if not set
     * @return this
     */
    public ZooKeeperLocksBuilder session(Duration session) {
        Duration shortest = tick.multipliedBy(LEAST_TICKS);
        if (session.compareTo(shortest) < 0 || session.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException("session is " + DurationText.of(session) + ", expected "
                    + DurationText.of(shortest) + " to " + DurationText.of(LONGEST_SESSION));
        }
        this.session = session;
        return this;
    }

    /**
     * Adds what the client says to be let in. With credentials, nodes belong to whoever created them, unless
     * {@link #acl} says something else.
     *
     * @param scheme how the server checks it, for instance {@code digest}
     * @param auth what it checks, for instance the bytes of {@code user:password}; copied
     * @return this
     */
    public ZooKeeperLocksBuilder auth(String scheme, byte[] auth) {
        if (scheme.isBlank()) {
            throw new IllegalArgumentException("scheme is blank, expected one of the server's, such as digest");
        }
        credentials.add(new Credentials(scheme, auth.clone()));
        return this;
    }

    /**
     * Sets who may do what with the nodes of locks. All clients of one root must say the same.
     *
     * @param acl not empty; everybody may do everything if neither this nor {@link #auth} is set
     * @return this
     */
    public ZooKeeperLocksBuilder acl(List<ACL> acl) {
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("acl is empty, expected at least one entry: nobody could use the locks");
        }
        this.acl = new ArrayList<>(acl); // ZooKeeper asks it whether it contains null
        return this;
    }

    /**
     * Sets what ZooKeeper's own client is configured with, for instance TLS and SASL.
     *
     * @param clientConfig ZooKeeper's options; those of system properties if not set
     * @return this
     */
    public ZooKeeperLocksBuilder clientConfig(ZKClientConfig clientConfig) {
        this.clientConfig = Objects.requireNonNull(clientConfig, "clientConfig");
        return this;
    }

    /**
     * Sets a name for people, shown beside every lock of this client.
     *
     * @param name at most 255 characters
     * @return this
     */
    public ZooKeeperLocksBuilder clientName(String name) {
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "clientName has " + name.length() + " characters or one that cannot be printed, expected at most "
                            + LONGEST_NAME + " printable ones");
        }
        this.clientName = name;
        return this;
    }

    /**
     * Sets how locks are held for which nothing else is said.
     *
     * @param defaults the options
     * @return this
     */
    public ZooKeeperLocksBuilder defaults(LockOptions defaults) {
        this.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /** For tests: on servers with a shorter tick. */
    ZooKeeperLocksBuilder tick(Duration tick) {
        this.tick = tick;
        return this;
    }

    /** For tests: how long one answer may take. */
    ZooKeeperLocksBuilder requestTimeout(Duration timeout) {
        this.requestTimeout = timeout;
        return this;
    }

    /**
     * Returns the longest lease that anybody may ask for.
     *
     * @return what the session carries; never empty
     */
    public Optional<Duration> leaseLimit() {
        return Optional.of(Carried.by(session, tick));
    }

    /**
     * Sets how long somebody waits before this client looks for a deadlock, and about how long it is from one look to
     * the next.
     *
     * @param delay 250 ms to a minute, or zero to look for none; a second if not set
     * @return this
     */
    public ZooKeeperLocksBuilder deadlockDelay(Duration delay) {
        this.deadlockDelay = LockEngine.checkedDeadlockDelay(delay);
        return this;
    }

    /**
     * Opens the client.
     *
     * @return the client, to be closed
     */
    public LockClient connect() {
        return LockEngine.start(newBackend(), defaults, deadlockDelay);
    }

    /**
     * Makes the backend without a client on it, for those who build on the engine themselves.
     *
     * @return a backend that was not started
     */
    public LockBackend newBackend() {
        return newBackend(TimeSource.system());
    }

    /** For tests: with clocks of their own. */
    LockBackend newBackend(TimeSource time) {
        return new ZooKeeperBackend(settings(time));
    }

    /**
     * Looks at ZooKeeper as a client would when it is opened, and further: the session that it gives, the version, the
     * rights, and how many servers there are. Tells everything that is wrong, not
     * the first thing only. Creates no node.
     *
     * @return what was found
     */
    public List<Finding> examine() {
        return new Examination(settings(TimeSource.system())).run();
    }

    private ZooKeeperSettings settings(TimeSource time) {
        return new ZooKeeperSettings(
                connect,
                root,
                session,
                tick,
                List.copyOf(credentials),
                acl,
                clientConfig,
                clientName,
                requestTimeout,
                time);
    }
}
