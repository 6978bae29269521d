package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

    /** Set when a fault did more than it should have. */
    private boolean mayBreak;

    JdbcNemesis(JdbcSite site, Safety safety, Crew crew) {
        this.site = site;
        this.safety = safety;
        this.crew = crew;
        this.clients = new ClientFaults(crew);
        this.wires = new WireFaults(clients::onWires);
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
            case CLOCK_FORWARD ->
                Nemesis.stepForward(site, rng, Duration.ofMillis(rng.between(1, Nemesis.MARGIN_MILLIS)));
            case CLOCK_LEAP -> Nemesis.stepForward(site, rng, Duration.ofMillis(rng.between(100, 6_000)));
            case CLOCK_BACK -> stepBack(rng);
            case LOSSY_FAILOVER, GUARDED_FAILOVER -> failOver(rng);
            case TABLE_LOCKED -> lockTable(rng);
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
        if (!crew.whileQuiet(site.clock()::reset)) {
            mayBreak = true;
        }
        return "clock set back by " + step;
    }

    private String lockTable(Rng rng) {
        long millis = rng.between(100, 4_000);
        String table = Site.PREFIX + "_lock";
        boolean postgres = site.server().toString().equals("PostgreSQL");
        try (Connection connection = site.server().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    postgres ? "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE" : "LOCK TABLES " + table + " WRITE");
            Threads.sleep(millis);
            connection.rollback();
            if (!postgres) {
                statement.execute("UNLOCK TABLES");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return table + " locked by somebody for " + millis + " ms";
    }
}
