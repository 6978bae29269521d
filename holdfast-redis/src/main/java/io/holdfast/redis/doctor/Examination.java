package io.holdfast.redis.doctor;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClusterSlots;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Examines every server behind a URL and reports everything that is wrong; opening a client reports only the first
 * problem.
 */
public final class Examination {
    private static final int ENOUGH_SENTINELS = 3;

    private final RedisUrl url;
    private final RedisSettings settings;
    private final RedisDriver driver;
    private final RedisDriver sentinels;
    private final Findings findings = new Findings();

    public Examination(RedisUrl url, RedisSettings settings, RedisDriver driver, RedisDriver sentinels) {
        this.url = url;
        this.settings = settings;
        this.driver = driver;
        this.sentinels = sentinels;
    }

    /**
     * Examines everything.
     *
     * @param trial opens a client, to be closed again
     */
    public List<Finding> run(Supplier<LockClient> trial) {
        Set<RedisAddress> servers = switch (url.mode()) {
            case SINGLE -> Set.copyOf(url.addresses());
            case SENTINEL -> masters();
            case CLUSTER -> shards();
        };
        boolean reached = false;
        for (RedisAddress server : servers) {
            reached |= examine(server);
        }
        if (reached) {
            open(trial, servers.iterator().next());
        }
        return findings.all();
    }

    private Duration timeout() {
        return settings.requestTimeout();
    }

    private boolean examine(RedisAddress server) {
        try (RedisConnection connection = driver.open(server, timeout())) {
            boolean allowed = new Permissions(url, settings, driver, server, connection).examine(findings);
            if (allowed) {
                new Checkup(url, settings, server, connection, findings).run();
            }
            return allowed;
        } catch (RedisLinkException | RedisReplyException failure) {
            unreachable(server, failure);
            return false;
        }
    }

    private void unreachable(RedisAddress server, RuntimeException failure) {
        String said = String.valueOf(failure.getMessage());
        if (failure instanceof RedisReplyException refused) {
            String check = refused.error() == RedisError.NOPERM ? "permissions" : "login";
            findings.fail(server, check, said, ErrorMessages.remedy(settings, refused));
        } else if (failure instanceof RedisLinkException link) {
            findings.fail(server, "reachable", said, ErrorMessages.remedy(link));
        }
    }

    /** The masters that the Sentinels name; usually one. */
    private Set<RedisAddress> masters() {
        Set<RedisAddress> masters = new LinkedHashSet<>();
        for (RedisAddress sentinel : url.addresses()) {
            try (RedisConnection connection = sentinels.open(sentinel, timeout())) {
                Object reply = connection.call(
                        timeout(),
                        Bytes.of("SENTINEL"),
                        Bytes.of("GET-MASTER-ADDR-BY-NAME"),
                        Bytes.of(url.masterName()));
                if (reply instanceof List<?> address) {
                    RedisAddress master = address(address);
                    masters.add(master);
                    findings.ok(sentinel, "sentinel", "says that '" + url.masterName() + "' is " + master);
                } else {
                    findings.fail(
                            sentinel,
                            "sentinel",
                            "knows no master '" + url.masterName() + "'",
                            "put the master's name at the end of the URL");
                }
            } catch (RedisLinkException | RedisReplyException failure) {
                unreachable(sentinel, failure);
            }
        }
        RedisAddress first = url.addresses().get(0);
        if (masters.size() > 1) {
            findings.fail(first, "sentinel", "they name different masters: " + masters, "wait for the failover to end");
        }
        if (url.addresses().size() < ENOUGH_SENTINELS) {
            findings.warn(
                    first,
                    "sentinel",
                    "the URL names " + url.addresses().size() + " of them",
                    "run three at least, and name them all: one that is cut off must not have the last word");
        }
        return masters;
    }

    private static RedisAddress address(List<?> hostAndPort) {
        return new RedisAddress(
                Replies.string(hostAndPort.get(0)), Integer.parseInt(Replies.string(hostAndPort.get(1))));
    }

    /** The masters that the first answering server names. */
    private Set<RedisAddress> shards() {
        for (RedisAddress seed : url.addresses()) {
            try (RedisConnection connection = driver.open(seed, timeout())) {
                Set<RedisAddress> masters = ClusterSlots.read(connection.call(timeout(), ClusterSlots.command()), seed)
                        .masters();
                if (masters.isEmpty()) {
                    findings.fail(seed, "cluster", "no server has any slot", "CLUSTER INFO must say cluster_state:ok");
                } else {
                    findings.ok(seed, "cluster", "has " + masters.size() + " masters");
                }
                return masters;
            } catch (RedisLinkException | RedisReplyException failure) {
                unreachable(seed, failure);
            }
        }
        return Set.of();
    }

    /** Opens a client: the handshake with its rehearsal of a hand-over. */
    private void open(Supplier<LockClient> trial, RedisAddress server) {
        try (LockClient client = trial.get()) {
            findings.ok(
                    server,
                    "handshake",
                    "client " + client.id() + " was opened: scripts, messages and permissions are as they should be");
        } catch (RuntimeException failure) {
            findings.fail(server, "handshake", String.valueOf(failure.getMessage()), "as it says");
        }
    }
}
