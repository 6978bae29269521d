package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.AofCopy;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisConsoleException;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisUnreachableException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** One fault at a time, on one server or on servers that replace each other. */
final class Nemesis implements Striker {
    /** The part of the lease that is set aside, for the shortest lease in use. */
    static final long MARGIN_MILLIS = 15;

    private static final String DEFAULT_BUFFER = "pubsub 33554432 8388608 60";

    private final Mode mode;
    private final Safety safety;
    private final Site site;
    private final Crew crew;
    private final Splits splits;
    private final Compounds compounds;
    private final ClientFaults clients;
    private final WireFaults wires;

    /** Set when a fault did more than it should have. */
    private boolean mayBreak;

    Nemesis(Mode mode, Safety safety, Duration shut, Site site, Crew crew, Consumer<Violation> complaints) {
        this.mode = mode;
        this.safety = safety;
        this.site = site;
        this.crew = crew;
        this.clients = new ClientFaults(crew);
        this.wires = new WireFaults(clients::onWires);
        this.splits = new Splits(safety, site, crew, complaints);
        this.compounds = new Compounds(mode, safety, shut, site, crew, complaints);
    }

    @Override
    public List<Blow> strike(Fault fault, Rng rng) {
        mayBreak = fault.mayBreak(mode, safety);
        long startNanos = System.nanoTime();
        String detail = inject(fault, rng);
        site.awaitHealthy();
        return List.of(new Blow(fault, detail, startNanos, System.nanoTime(), mayBreak));
    }

    private String inject(Fault fault, Rng rng) {
        return switch (fault) {
            case KILL -> kill(rng);
            case KILL_EMPTY -> killEmpty(rng);
            case KILL_ROLLED_BACK -> rollBack(rng);
            case SERVER_PAUSE -> pauseServer(rng);
            case CLIENT_PAUSE -> clients.pause(rng);
            case CLIENT_KILL -> clients.kill(rng);
            case REPLY_LOST -> wires.loseReplies(rng);
            case REQUEST_LATE -> wires.delayRequests(rng);
            case REQUEST_TWICE -> repeatRequests(rng);
            case WIRE_CUT -> wires.cut(rng);
            case FAILOVER -> {
                site.failOver(rng);
                yield "failover";
            }
            case LOSSY_FAILOVER, GUARDED_FAILOVER -> {
                site.loseWrites(rng);
                yield "lossy failover";
            }
            case DEMOTION -> demote(rng);
            case CLOCK_FORWARD -> stepWithinMargin(rng);
            case CLOCK_LEAP -> leap(rng);
            case CLOCK_BACK -> stepBack(rng);
            case DELETION -> delete(rng);
            case SCRIPTS -> disturbScripts(rng);
            case CONNECTIONS -> cutConnections(rng);
            case MEMORY -> fillMemory(rng);
            case SLOT_MIGRATION -> migrate(rng);
            case PERMISSIONS -> revoke(rng);
            case PARTITION -> splits.part(rng);
            case SILENT_DEATH -> splits.silence(rng);
            case GUARD_MIGRATION -> compounds.restartAndMigrate(rng);
            case GUARD_CLOCK -> compounds.restartWithSlowClock(rng);
            case ROLLED_BACK_CLOCK -> rollBackWithClock(rng);
            case CROWD -> compounds.killCrowd(rng);
            case BROKEN_LOCKS -> compounds.breakLocks(rng);
            case CUT_OFF_MINORITY,
                    CUT_OFF_MAJORITY,
                    BRIDGE,
                    CLOCK_DRIFT,
                    CLIENT_CLOCK,
                    FLUSH,
                    DELETION_ON_NODE,
                    ROLLING_RESTART,
                    MIX,
                    TABLE_LOCKED,
                    SERVER_CUT_OFF,
                    SESSION_CLOSED,
                    SESSION_OVER,
                    ROW_LOCKED,
                    STATEMENT_LIMIT,
                    CONNECTIONS_TAKEN,
                    BACKUP,
                    WATCHES_LOST,
                    SESSION_SLEPT -> throw Site.impossible(fault.title());
        };
    }

    private RedisServer master(Rng rng) {
        return rng.pick(site.masters());
    }

    private String kill(Rng rng) {
        RedisServer master = master(rng);
        long downMillis = rng.chance(50) ? rng.between(0, 300) : rng.between(1_000, 4_000);
        master.kill();
        Threads.sleep(downMillis);
        master.restart();
        return master + " down for " + downMillis + " ms";
    }

    private String killEmpty(Rng rng) {
        RedisServer master = master(rng);
        master.restartEmpty();
        return master + " restarted empty";
    }

    private String rollBack(Rng rng) {
        RedisServer master = master(rng);
        int commands = (int) rng.between(1, 50);
        master.truncateAof(commands);
        master.restart();
        return master + " restarted without its last " + commands + " commands";
    }

    private String pauseServer(Rng rng) {
        RedisServer master = master(rng);
        long millis = shortOrLong(rng);
        master.pause();
        Threads.sleep(millis);
        master.resume();
        return master + " stood still for " + millis + " ms";
    }

    /** Well below all leases, or well above. */
    static long shortOrLong(Rng rng) {
        return rng.chance(50) ? rng.between(50, 700) : rng.between(2_500, 6_000);
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String repeatRequests(Rng rng) {
        List<Integer> workers = clients.some(rng);
        return WireFaults.repeatRequests(rng, workers, clients.proxies(workers));
    }

    /** Follows nobody for a while, so that it keeps what it has, and the connections of those who listen to it. */
    private String demote(Rng rng) {
        RedisServer master = master(rng);
        long millis = rng.between(100, 1_500);
        master.command("REPLICAOF", "127.0.0.1", "1");
        Threads.sleep(millis);
        master.command("REPLICAOF", "NO", "ONE");
        return master + " a replica for " + millis + " ms";
    }

    private String stepWithinMargin(Rng rng) {
        return stepForward(site, rng, Duration.ofMillis(rng.between(1, MARGIN_MILLIS)));
    }

    /** No further than a record is kept, so that tokens go on growing. */
    private String leap(Rng rng) {
        return stepForward(site, rng, Duration.ofMillis(rng.between(100, 6_000)));
    }

    /**
     * Ends when the clock has caught up with the tokens that it gave: until then, a server that forgets gives smaller
     * ones.
     */
    static String stepForward(Site site, Rng rng, Duration step) {
        site.clock().step(step);
        Threads.sleep(rng.between(100, 2_000));
        site.clock().reset();
        Threads.sleep(step.toMillis());
        return "clock set forward by " + step;
    }

    /** Setting it right again is a leap forward, so nobody may hold anything then. */
    private String stepBack(Rng rng) {
        Duration step = rng.chance(50)
                ? Duration.ofMillis(rng.between(1_000, 30_000))
                : Duration.ofSeconds(rng.between(60, 3_600));
        site.clock().step(step.negated());
        Threads.sleep(rng.between(100, 5_000));
        if (!crew.whileQuiet(site.clock()::reset)) {
            mayBreak = true;
        }
        return "clock set back by " + step;
    }

    /** Those who wait in the line come back to a server that knows smaller tokens than they do. */
    private String rollBackWithClock(Rng rng) {
        RedisServer master = master(rng);
        AofCopy copy = master.copyAof();
        long ageMillis = rng.between(200, 2_000);
        Threads.sleep(ageMillis);
        Duration step = Duration.ofMillis(rng.between(1_000, 8_000));
        master.kill();
        site.clock().step(step.negated());
        master.restartFrom(copy);
        Threads.sleep(rng.between(500, 3_000));
        if (!crew.whileQuiet(site.clock()::reset)) {
            mayBreak = true;
        }
        return master + " restarted from a file of " + ageMillis + " ms before, clock set back by " + step;
    }

    private String delete(Rng rng) {
        if (rng.chance(50)) {
            RedisServer master = master(rng);
            master.flushAll();
            return master + " flushed";
        }
        String key = key(rng);
        for (RedisServer master : site.masters()) {
            try {
                master.command("DEL", key);
            } catch (RedisConsoleException elsewhere) {
                // Another node has it.
            }
        }
        return key + " deleted";
    }

    /** The key of one of the subjects. */
    private static String key(Rng rng) {
        return key(rng.pick(List.of(Subject.values())));
    }

    static String key(Subject subject) {
        String kind = subject.kind() == Subject.Kind.READ_WRITE
                ? "rw"
                : subject.kind().name().toLowerCase(Locale.ROOT);
        return Site.PREFIX + ":" + kind + ":{" + subject.name() + "}";
    }

    private String disturbScripts(Rng rng) {
        RedisServer master = master(rng);
        if (rng.chance(50)) {
            master.scriptFlush();
            return "scripts of " + master + " flushed";
        }
        long millis = rng.between(300, 6_000);
        master.command("CONFIG", "SET", "lua-time-limit", "200");
        try (RedisConsole console = master.console()) {
            console.send("EVAL", "while true do end", "0");
            Threads.sleep(millis);
            Patience.until("the script is killed", () -> {
                try {
                    master.command("SCRIPT", "KILL");
                    return false;
                } catch (RedisConsoleException nothingToKill) {
                    return nothingToKill.kind().equals("NOTBUSY");
                }
            });
        }
        master.command("CONFIG", "SET", "lua-time-limit", "5000");
        return master + " busy for " + millis + " ms";
    }

    private String cutConnections(Rng rng) {
        RedisServer master = master(rng);
        switch (rng.below(3)) {
            case 0 -> {
                return master.clientKill("normal") + " connections to " + master + " cut";
            }
            case 1 -> {
                return master.clientKill("pubsub") + " subscriptions at " + master + " cut";
            }
            default -> {
                long millis = rng.between(200, 3_000);
                master.command("CONFIG", "SET", "client-output-buffer-limit", "pubsub 1 1 1");
                Threads.sleep(millis);
                master.command("CONFIG", "SET", "client-output-buffer-limit", DEFAULT_BUFFER);
                return "no room for messages at " + master + ", " + millis + " ms";
            }
        }
    }

    private String fillMemory(Rng rng) {
        RedisServer master = master(rng);
        long millis = rng.between(200, 4_000);
        master.command("CONFIG", "SET", "maxmemory", "1");
        Threads.sleep(millis);
        master.command("CONFIG", "SET", "maxmemory", "0");
        return master + " out of memory for " + millis + " ms";
    }

    private String migrate(Rng rng) {
        String key = key(rng);
        long millis = rng.between(0, 2_000);
        ((ClusterSite) site).migrate(key, millis, rng);
        return "slot of " + key + " moved, " + millis + " ms between";
    }

    private String revoke(Rng rng) {
        boolean channels = rng.chance(50);
        long millis = rng.between(200, 4_000);
        permit(channels ? "resetchannels" : "resetkeys");
        Threads.sleep(millis);
        permit(channels ? "allchannels" : "allkeys");
        return "user without " + (channels ? "channels" : "keys") + " for " + millis + " ms";
    }

    private void permit(String rule) {
        for (RedisServer server : site.servers()) {
            try {
                server.command("ACL", "SETUSER", Worker.USER, rule);
            } catch (RedisUnreachableException down) {
                throw new IllegalStateException(server + " must be up for this", down);
            }
        }
    }
}
