package io.holdfast.torture;

import io.holdfast.testing.redis.AofCopy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Nodes of a quorum that forget, never more than a minority at a time. */
final class Amnesia {
    private static final Duration OPENING = Duration.ofSeconds(30);

    private final QuorumSite site;
    private final Harms harms;
    private final QuorumWatch watch;

    Amnesia(QuorumSite site, Harms harms, QuorumWatch watch) {
        this.site = site;
        this.harms = harms;
        this.watch = watch;
    }

    /** Does something to some nodes after which they may have forgotten. They are out until they grant again. */
    private String forgetting(Rng rng, int most, Consumer<List<RedisServer>> deed, String what) {
        Harms.Harm[] harm = {harms.take(most, true, rng)};
        boolean any = Patience.until(Duration.ofSeconds(8), () -> {
            if (harm[0].nodes().isEmpty()) {
                harm[0] = harms.take(most, true, rng);
            }
            return !harm[0].nodes().isEmpty();
        });
        if (!any) {
            return "no node that may forget now";
        }
        deed.accept(harm[0].nodes().stream().map(site::server).toList());
        opening(harm[0]);
        return "nodes " + harm[0].nodes() + " " + what;
    }

    /** Until they grant again they are out. */
    void opening(Harms.Harm harm) {
        harms.giveBack(harm);
        Threads.start("opening", () -> {
            boolean open = Patience.until(OPENING, () -> harm.nodes().stream().allMatch(site::isOpen));
            harms.end(harm);
            if (!open && !watch.isOver()) {
                watch.complain(Rule.AVAILABILITY, "nodes " + harm.nodes() + " did not open within " + OPENING);
            }
        });
    }

    String kill(Rng rng) {
        long downMillis = rng.chance(50) ? rng.between(0, 300) : rng.between(1_000, 4_000);
        return forgetting(
                rng,
                site.some(rng),
                servers -> {
                    servers.forEach(RedisServer::kill);
                    Threads.sleep(downMillis);
                    servers.forEach(RedisServer::restart);
                },
                "down for " + downMillis + " ms");
    }

    String killEmpty(Rng rng) {
        return forgetting(
                rng, site.some(rng), servers -> servers.forEach(RedisServer::restartEmpty), "killed, restarted empty");
    }

    String rollBack(Rng rng) {
        if (rng.chance(50)) {
            int commands = (int) rng.between(1, 50);
            return forgetting(
                    rng,
                    site.some(rng),
                    servers -> servers.forEach(server -> {
                        server.truncateAof(commands);
                        server.restart();
                    }),
                    "restarted without their last " + commands + " commands");
        }
        long ageMillis = rng.between(100, 2_500);
        return forgetting(
                rng,
                site.some(rng),
                servers -> {
                    List<AofCopy> copies =
                            servers.stream().map(RedisServer::copyAof).toList();
                    Threads.sleep(ageMillis);
                    for (int i = 0; i < copies.size(); i++) {
                        servers.get(i).restartFrom(copies.get(i));
                    }
                },
                "restarted from a file of " + ageMillis + " ms before");
    }

    String flush(Rng rng) {
        return forgetting(rng, 1, servers -> servers.forEach(RedisServer::flushAll), "flushed");
    }

    /** Each node waits until the one before it grants again; somebody holds a lock all the time. */
    String restartAll(Rng rng) {
        boolean empty = rng.chance(50);
        awaitAllOpen();
        try (Keeper keeper = new Keeper(site)) {
            List<Integer> order = new ArrayList<>(harms.allNodes());
            while (!order.isEmpty()) {
                awaitAllOpen();
                keeper.awaitEverywhere();
                Harms.Harm harm = harms.begin(List.of(order.remove(rng.below(order.size()))), harms.allWorkers());
                RedisServer server = site.server(harm.nodes().get(0));
                if (empty) {
                    server.restartEmpty();
                } else {
                    server.restart();
                }
                opening(harm);
                keeper.check(watch);
            }
            awaitAllOpen();
            keeper.check(watch);
        }
        return "all nodes restarted" + (empty ? " empty" : "") + " under a holder";
    }

    private void awaitAllOpen() {
        Patience.until("all nodes grant", () -> harms.allNodes().stream().allMatch(site::isOpen));
    }
}
