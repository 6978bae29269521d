package io.holdfast.torture;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.redis.RedisServer;

/** Holds one lock of a quorum for as long as it is open, and makes sure that nobody else gets it. */
final class Keeper implements AutoCloseable {
    private static final String NAME = "kept";
    private static final String KEY = Site.PREFIX + ":lock:{" + NAME + "}";
    private static final LockOptions OPTIONS = LockOptions.defaults().lease(Subject.LONGEST_LEASE);

    private final QuorumSite site;
    private final LockClient mine;
    private final LockClient other;
    private final Lease lease;

    Keeper(QuorumSite site) {
        this.site = site;
        var urls = site.servers().stream().map(RedisServer::uri).toList();
        this.mine = QuorumSite.connection(urls).connect();
        this.other = QuorumSite.connection(urls).connect();
        this.lease = mine.lock(NAME, OPTIONS).acquire();
    }

    /** Waits until every node knows of it again. */
    void awaitEverywhere() {
        Patience.until(
                "the lock is on all nodes",
                () -> !lease.isValid() || site.servers().stream().allMatch(Keeper::isHeldOn));
    }

    /** What is not held any more is a number only. */
    private static boolean isHeldOn(RedisServer server) {
        return String.valueOf(server.command("HGET", KEY, "hold")).contains(" ");
    }

    void check(QuorumWatch watch) {
        if (!lease.isValid()) {
            watch.complain(Rule.AVAILABILITY, "a holder lost its lock though nodes were restarted one by one");
        } else {
            other.lock(NAME, OPTIONS).tryAcquire().ifPresent(second -> {
                if (lease.isValid()) {
                    watch.complain(Rule.EXCLUSION, "held by two after nodes were restarted one by one");
                }
                second.close();
            });
        }
    }

    @Override
    public void close() {
        lease.close();
        mine.close();
        other.close();
    }
}
