package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.databases.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** One fault at a time, on a database and the clients of it. */
final class JdbcNemesis implements Striker {
    private final JdbcSite site;
    private final Safety safety;
    private final Crew crew;
    private final ClientFaults clients;
    private final WireFaults wires;
    private final CrowdedDatabase crowd;

    /** Set when a fault did more than it should have. */
    private boolean mayBreak;

    JdbcNemesis(JdbcSite site, Safety safety, Crew crew) {
        this.site = site;
        this.safety = safety;
        this.crew = crew;
        this.clients = new ClientFaults(crew);
        this.wires = new WireFaults(clients::onWires);
        this.crowd = new CrowdedDatabase(site);
    }

    @Override
    public List<Blow> strike(Fault fault, Rng rng) {
        mayBreak = fault.mayBreak(Mode.JDBC, safety);
        long startNanos = System.nanoTime();
        String detail = inject(fault, rng);
        site.awaitHealthy();
        return List.of(new Blow(fault, detail, startNanos, System.nanoTime(), mayBreak));
    }

    private String inject(Fault fault, Rng rng) {
        return switch (fault) {
            case KILL -> kill(rng);
            case SERVER_PAUSE -> pauseServer(rng);
            case CLIENT_PAUSE -> clients.pause(rng);
            case CLIENT_KILL -> clients.kill(rng);
            case REQUEST_LATE -> late(rng);
            case WIRE_CUT -> wires.cut(rng);
            case CLOCK_FORWARD -> stepForward(rng, Duration.ofMillis(rng.between(1, Nemesis.MARGIN_MILLIS)));
            case CLOCK_LEAP -> leap(rng);
            case CLOCK_BACK -> stepBack(rng);
            case LOSSY_FAILOVER, GUARDED_FAILOVER -> failOver(rng);
            case TABLE_LOCKED -> crowd.lockTable(rng);
            case ROW_LOCKED -> crowd.lockRow(rng);
            case STATEMENT_LIMIT -> crowd.limitStatements(rng);
            case CONNECTIONS_TAKEN -> crowd.takeConnections(rng);
            case BACKUP -> crowd.backUp(rng);
            default -> throw Site.impossible(fault.title());
        };
    }

    private String kill(Rng rng) {
        long downMillis = rng.chance(50) ? rng.between(0, 300) : rng.between(1_000, 4_000);
        site.server().kill();
        Threads.sleep(downMillis);
        site.restart();
        return site.server() + " down for " + downMillis + " ms";
    }

    private String failOver(Rng rng) {
        AtomicReference<PostgresServer> replica = new AtomicReference<>();
        crew.whileQuiet(() -> replica.set(site.newReplica()));
        Threads.sleep(rng.between(300, 2_000)); // it follows
        long lostMillis = rng.between(50, 1_500);
        site.failOver(Objects.requireNonNull(replica.get()), lostMillis);
        crew.redirect(site.server().port());
        return "the commits of the last " + lostMillis + " ms lost";
    }

    private String pauseServer(Rng rng) {
        long millis = Nemesis.shortOrLong(rng);
        site.server().pause();
        Threads.sleep(millis);
        site.server().resume();
        return site.server() + " stood still for " + millis + " ms";
    }

    private String late(Rng rng) {
        if (rng.chance(50)) {
            return clients.onWires(
                    rng, "requests held", rng.between(50, 4_000), proxy -> proxy.holdRequests(bytes -> true));
        }
        long millis = rng.between(1, 700);
        return clients.onWires(
                rng,
                "requests " + millis + " ms late",
                rng.between(1_000, 3_000),
                proxy -> proxy.delayRequests(Duration.ofMillis(millis)));
    }

    /** Setting it right again is a leap forward, so nobody may hold anything then. */
    private String stepBack(Rng rng) {
        Duration step = Duration.ofMillis(rng.between(1_000, 3_600_000));
        site.clock().step(step.negated());
        Threads.sleep(rng.between(100, 5_000));
        if (!crew.whileQuiet(() -> site.clock().step(step))) {
            mayBreak = true;
        }
        return "clock set back by " + step;
    }

    /** Ends when the clock has caught up with the tokens that were given by it. */
    private String stepForward(Rng rng, Duration step) {
        site.clock().step(step);
        Threads.sleep(rng.between(100, 2_000));
        site.clock().step(step.negated());
        Threads.sleep(step.toMillis());
        return "clock set forward by " + step;
    }

    /** Nobody can wait until it has caught up with an hour, so that one is not taken back. */
    private String leap(Rng rng) {
        if (rng.chance(50)) {
            return stepForward(rng, Duration.ofMillis(rng.between(100, 6_000)));
        }
        Duration step = Duration.ofMillis(rng.between(60_000, 3_600_000));
        site.clock().step(step);
        return "clock set forward by " + step + " for good";
    }
}
