package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One fault at a time, on an ensemble and the clients of it. */
final class ZooKeeperNemesis implements Striker {
    private static final Duration A_MOMENT = Duration.ofSeconds(3);

    private final ZooKeeperSite site;
    private final Crew crew;
    private final ClientFaults clients;
    private final WireFaults wires;

    ZooKeeperNemesis(ZooKeeperSite site, Crew crew) {
        this.site = site;
        this.crew = crew;
        this.clients = new ClientFaults(crew);
        this.wires = new WireFaults(clients::onWires);
    }

    @Override
    public List<Blow> strike(Fault fault, Rng rng) {
        long startNanos = System.nanoTime();
        String detail = inject(fault, rng);
        site.awaitHealthy();
        boolean mayBreak = fault.mayBreak(Mode.ZOOKEEPER, Safety.AVAILABLE);
        return List.of(new Blow(fault, detail, startNanos, System.nanoTime(), mayBreak));
    }

    private String inject(Fault fault, Rng rng) {
        return switch (fault) {
            case KILL -> kill(rng);
            case KILL_EMPTY -> wipe(rng);
            case SERVER_PAUSE -> pauseServer(rng);
            case CLIENT_PAUSE -> clients.pause(rng);
            case CLIENT_KILL -> clients.kill(rng);
            case REQUEST_LATE -> late(rng);
            case WIRE_CUT -> wires.cut(rng);
            case ROLLING_RESTART -> restartAll(rng);
            case SERVER_CUT_OFF -> cutOff(rng);
            case SESSION_CLOSED -> closeSessions(rng);
            case SESSION_OVER -> outlast(rng);
            case WATCHES_LOST -> loseWatches(rng);
            case SESSION_SLEPT -> clients.pause(rng, beyondTheSession(rng));
            case CLOCK_LEAP -> site.stepClocks(Duration.ofMillis(rng.between(1_000, 3_600_000)), rng);
            case CLOCK_BACK -> site.stepClocks(Duration.ofMillis(-rng.between(1_000, 3_600_000)), rng);
            default -> throw Site.impossible(fault.title());
        };
    }

    /** Every second time the leader: then nobody is served until there is another one. */
    private ZooKeeperServer one(Rng rng) {
        return rng.chance(50) ? site.leader() : rng.pick(site.members());
    }

    /** One, or two: then no majority is left for a while. */
    private String kill(Rng rng) {
        List<ZooKeeperServer> victims = new ArrayList<>(List.of(one(rng)));
        if (rng.chance(25)) {
            site.members().stream()
                    .filter(each -> !victims.contains(each))
                    .findFirst()
                    .ifPresent(victims::add);
        }
        long downMillis = rng.chance(50) ? rng.between(0, 300) : rng.between(1_000, 6_000);
        String who = victims.stream().map(site::called).collect(Collectors.joining(" and "));
        victims.forEach(ZooKeeperServer::kill);
        Threads.sleep(downMillis);
        victims.forEach(site::restart);
        return who + " down for " + downMillis + " ms";
    }

    /** A follower: the others keep everything, and it fetches all from the leader. */
    private String wipe(Rng rng) {
        ZooKeeperServer follower = rng.pick(site.followers());
        String who = site.called(follower);
        follower.kill();
        site.wipe(follower);
        Threads.sleep(rng.between(0, 1_000));
        site.restart(follower);
        return who + " restarted empty";
    }

    private String restartAll(Rng rng) {
        for (ZooKeeperServer each : site.members()) {
            each.kill();
            Threads.sleep(rng.between(0, 500));
            site.restart(each);
            site.awaitHealthy();
        }
        return "one after the other";
    }

    private String pauseServer(Rng rng) {
        ZooKeeperServer server = one(rng);
        String who = site.called(server);
        long millis = Nemesis.shortOrLong(rng);
        server.pauseProcess();
        Threads.sleep(millis);
        server.resumeProcess();
        return who + " stood still for " + millis + " ms";
    }

    private String late(Rng rng) {
        if (rng.chance(50)) {
            return clients.onWires(
                    rng, "requests held", rng.between(50, 4_000), proxy -> proxy.holdRequests(bytes -> true));
        }
        long millis = rng.between(1, 700);
        return clients.onWires(rng, "a link that is " + millis + " ms slow", rng.between(1_000, 4_000), proxy -> {
            proxy.delayRequests(Duration.ofMillis(millis));
            proxy.delayReplies(Duration.ofMillis(millis));
        });
    }

    /**
     * Some workers reach no other server than the one that is cut off: it still answers what it need not ask others.
     */
    private String cutOff(Rng rng) {
        ZooKeeperServer server = one(rng);
        String who = site.called(server);
        List<Integer> with = clients.some(rng);
        List<FaultProxy> doors = with.stream()
                .map(worker -> crew.proxy(worker, site.door(server)))
                .toList();
        List<FaultProxy> others = clients.proxies(with).stream()
                .filter(each -> !doors.contains(each))
                .toList();
        others.forEach(WireFaults::refuse);
        Patience.until(A_MOMENT, () -> doors.stream().allMatch(door -> door.openConnections() > 0));
        site.part(server);
        long millis = rng.chance(50) ? rng.between(200, 3_000) : rng.between(3_000, 12_000);
        Threads.sleep(millis);
        site.rejoin();
        others.forEach(FaultProxy::heal);
        return who + " cut off with workers " + with + " for " + millis + " ms";
    }

    private String closeSessions(Rng rng) {
        List<SessionTap.Session> sessions = new ArrayList<>(site.sessions());
        while (sessions.size() > 1 && rng.chance(60)) {
            sessions.remove(rng.below(sessions.size()));
        }
        long closed = sessions.stream().filter(site::closeSession).count();
        return closed + " sessions closed";
    }

    /** Whoever waited for one of them finds out by asking again. */
    private String loseWatches(Rng rng) {
        long millis = rng.between(1_000, 8_000);
        int lostBefore = site.droppedEvents();
        site.dropEvents(true);
        Threads.sleep(millis);
        site.dropEvents(false);
        return site.droppedEvents() - lostBefore + " events lost in " + millis + " ms";
    }

    private static long beyondTheSession(Rng rng) {
        return ZooKeeperSite.SESSION.toMillis() + rng.between(1_000, 5_000);
    }

    private String outlast(Rng rng) {
        long millis = ZooKeeperSite.SESSION.toMillis() + rng.between(200, 4_000);
        return rng.chance(50)
                ? clients.onWires(rng, "refused", millis, WireFaults::refuse)
                : clients.onWires(rng, "half open", millis, FaultProxy::halfOpen);
    }
}
