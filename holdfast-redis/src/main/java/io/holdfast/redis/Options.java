package io.holdfast.redis;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.redis.backend.RedisBackend;
import io.holdfast.redis.doctor.Examination;
import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisCredentials;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.servers.Topologies;
import io.holdfast.redis.settings.OptionRange;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import io.holdfast.redis.settings.Timing;
import java.lang.System.Logger.Level;
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

/** What a {@link RedisLocksBuilder} was told, and what is made of it. */
final class Options {
    RedisUrl url;
    String prefix = "holdfast";

    @Nullable
    String clientName;

    Duration requestTimeout = Duration.ofSeconds(2);
    Duration connectTimeout = Duration.ofSeconds(2);
    int connections = 32;

    @Nullable
    Safety safety;

    Duration longestLease = Duration.ofMinutes(1);
    private Timing time = Timing.SYSTEM;
    private int replicas;
    private Duration replicasTimeout = Duration.ofSeconds(1);
    boolean acceptsEviction;
    boolean startsEmpty;
    LockOptions defaults = LockOptions.defaults();
    private Duration deadlockDelay = RedisLocks.defaultDeadlockDelay();

    @Nullable
    Consumer<? super LockStoreException> whenDown;

    @Nullable
    Supplier<RedisCredentials> credentials;

    @Nullable
    Supplier<RedisCredentials> sentinelCredentials;

    @Nullable
    Supplier<SSLContext> tlsContext;

    @Nullable
    SSLSocketFactory tlsSockets;

    @Nullable
    SSLParameters tlsParameters;

    @Nullable
    SocketFactory sockets;

    @Nullable
    RedisDriver driver;

    private int members;

    Options(RedisUrl url) {
        this.url = url;
        if (url.password() != null) {
            credentials = fixed(url.user(), url.password());
        }
    }

    static Supplier<RedisCredentials> fixed(@Nullable String user, String password) {
        RedisCredentials fixed = new RedisCredentials(user, password);
        return () -> fixed;
    }

    static void warn(LockStoreException down) {
        System.getLogger("io.holdfast.redis")
                .log(Level.WARNING, down.getMessage() + "; locks work as soon as it answers");
    }

    void asMember(int votes) {
        if (url.mode() != RedisUrl.Mode.SINGLE) {
            throw new IllegalArgumentException(
                    "a quorum is made of servers that know nothing of each other; '" + url.addresses()
                            + "' are Sentinels or a cluster. Name each server with a redis:// URL of its own");
        }
        members = votes;
        safety = Safety.STRICT;
    }

    private boolean isStrict() {
        Safety usual = url.mode() == RedisUrl.Mode.SENTINEL ? Safety.STRICT : Safety.AVAILABLE;
        return (safety == null ? usual : safety) == Safety.STRICT;
    }

    Optional<Duration> leaseLimit() {
        return isStrict() ? Optional.of(longestLease) : Optional.empty();
    }

    void replicas(int number, Duration timeout) {
        if (number < 1) {
            throw new IllegalArgumentException(
                    "replicas is " + number + ", expected at least 1; leave it out for none");
        }
        replicas = number;
        replicasTimeout = Objects.requireNonNull(timeout, "timeout");
    }

    void deadlockDelay(Duration delay) {
        deadlockDelay = RedisLocks.checkedDeadlockDelay(delay);
    }

    LockClient connect() {
        return RedisLocks.start(backend(), defaults, deadlockDelay);
    }

    RedisBackend backend(Timing clocks) {
        time = clocks;
        return backend();
    }

    RedisBackend backend() {
        RedisSettings settings = settings();
        return backend(settings, driver != null ? driver : servers());
    }

    private RedisBackend backend(RedisSettings settings, RedisDriver servers) {
        return new RedisBackend(new Topologies(url, servers, sentinels(servers), connections), settings);
    }

    /** Opens a driver of its own each time, but never closes that of the application. */
    List<Finding> examine(int votes) {
        RedisSettings wanted = votes > 0 ? settings().asMember(votes) : settings();
        RedisSettings unguarded = wanted.unguarded(); // an examination must not shut a server that was never marked
        try (RedisDriver servers = examiner();
                RedisDriver sentinels = sentinels(servers)) {
            return new Examination(url, wanted, servers, sentinels)
                    .run(() -> RedisLocks.start(backend(unguarded, examiner()), defaults, deadlockDelay));
        }
    }

    private RedisDriver examiner() {
        return driver != null ? new LentDriver(driver) : servers();
    }

    private RedisDriver servers() {
        return Drivers.create(access(credentials, url.database()));
    }

    /** Sentinels have no databases, and as a rule no users. Where there are none, nobody asks. */
    private RedisDriver sentinels(RedisDriver servers) {
        return url.mode() == RedisUrl.Mode.SENTINEL
                ? Drivers.create(access(sentinelCredentials, 0))
                : new LentDriver(servers);
    }

    private RedisAccess access(@Nullable Supplier<RedisCredentials> who, int database) {
        return new RedisAccess(
                who,
                database,
                clientName,
                connectTimeout,
                url.tls(),
                new RedisAccess.Tls(tlsContext, tlsSockets, tlsParameters),
                sockets);
    }

    private RedisSettings settings() {
        url.checked();
        OptionRange.timeout("connectTimeout", connectTimeout);
        OptionRange.atLeastOne("connections", connections);
        return new RedisSettings(
                prefix,
                clientName,
                requestTimeout,
                time,
                isStrict(),
                longestLease,
                replicas,
                replicasTimeout,
                acceptsEviction,
                startsEmpty,
                whenDown,
                members);
    }
}
