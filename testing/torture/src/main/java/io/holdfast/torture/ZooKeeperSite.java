package io.holdfast.torture;

import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperEnsemble;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;

/** An ensemble of three ZooKeeper servers. Clients reach each through a tap that knows their sessions. */
final class ZooKeeperSite extends Site {
    static final String SCHEME = "zk:";

    /** Of all workers: the shortest there is, so that its end is met often. */
    static final Duration SESSION = Duration.ofSeconds(12);

    /** By then the servers have noticed that a session is over. */
    static final Duration NOTICE = Duration.ofSeconds(4);

    private static final String ROOT = "/" + PREFIX;

    private final ZooKeeperEnsemble ensemble;
    private final Map<ZooKeeperServer, SessionTap> taps = new LinkedHashMap<>();

    private ZooKeeperSite(ZooKeeperEnsemble ensemble) {
        super(new ClockShim());
        this.ensemble = ensemble;
        ensemble.servers().forEach(server -> taps.put(server, SessionTap.before(server)));
        ensemble.servers().forEach(this::takeClock);
    }

    static ZooKeeperSite start() {
        return new ZooKeeperSite(ZooKeeperEnsemble.start());
    }

    List<ZooKeeperServer> members() {
        return ensemble.servers();
    }

    ZooKeeperServer leader() {
        return ensemble.leader();
    }

    List<ZooKeeperServer> followers() {
        return ensemble.followers();
    }

    /** For people. */
    String called(ZooKeeperServer server) {
        return (server == leader() ? "leader " : "follower ") + (members().indexOf(server) + 1);
    }

    /** Where clients reach a server. */
    int door(ZooKeeperServer server) {
        return Objects.requireNonNull(taps.get(server)).port();
    }

    /** Parts a server from the others; nobody is told. */
    void part(ZooKeeperServer server) {
        ensemble.cutOff(server);
    }

    @Override
    void rejoin() {
        ensemble.heal();
    }

    List<SessionTap.Session> sessions() {
        return taps.values().stream().flatMap(tap -> tap.sessions().stream()).toList();
    }

    /** As if its owner had closed it. Could it be done? */
    boolean closeSession(SessionTap.Session session) {
        return session.end(ensemble.address());
    }

    /** What watches tell does not arrive any more, or does again. */
    void dropEvents(boolean drop) {
        taps.values().forEach(tap -> tap.dropEvents(drop));
    }

    /** How many never arrived. */
    int droppedEvents() {
        return taps.values().stream().mapToInt(SessionTap::dropped).sum();
    }

    /** Has a server that was killed forget everything but who it is. */
    void wipe(ZooKeeperServer server) {
        server.wipe();
        try {
            Files.createDirectories(server.data());
            Files.writeString(
                    server.data().resolve("myid"), String.valueOf(members().indexOf(server) + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server again that was killed. */
    void restart(ZooKeeperServer server) {
        server.startAgain();
        takeClock(server);
    }

    private void takeClock(ZooKeeperServer server) {
        if (ClockShim.isSupported()) {
            clock().attach(server.pid());
        }
    }

    /** Nothing goes by wall clocks, so nothing is done to make it harmless. */
    String stepClocks(Duration step, Rng rng) {
        clock().step(step);
        Threads.sleep(rng.between(500, 4_000));
        clock().reset();
        return "clocks moved by " + step;
    }

    @Override
    Optional<List<String>> endless() {
        try (ZooKeeperEye eye = ZooKeeperEye.open(ensemble.address())) {
            return Optional.of(eye.claims(ROOT, true));
        } catch (KeeperException away) {
            return Optional.empty();
        }
    }

    @Override
    List<String> leftBehind() {
        try (ZooKeeperEye eye = ZooKeeperEye.open(ensemble.address())) {
            List<String> left = new ArrayList<>(eye.claims(ROOT, false));
            left.addAll(eye.clients(ROOT));
            return left;
        } catch (KeeperException away) {
            return List.of(away.toString());
        }
    }

    @Override
    String url() {
        return SCHEME
                + taps.values().stream().map(tap -> String.valueOf(tap.port())).collect(Collectors.joining(","));
    }

    /** What is to be told to a client that goes through proxies. */
    static String proxied(String url, Map<Integer, Integer> proxies) {
        List<String> servers = new ArrayList<>();
        for (String port : url.substring(SCHEME.length()).split(",", -1)) {
            servers.add("127.0.0.1:" + proxies.get(Integer.valueOf(port)));
        }
        return String.join(",", servers);
    }

    @Override
    List<Integer> otherPorts() {
        return taps.values().stream().map(SessionTap::port).toList();
    }

    @Override
    List<RedisServer> servers() {
        return List.of();
    }

    @Override
    List<RedisServer> masters() {
        return List.of();
    }

    @Override
    void awaitHealthy() {
        ensemble.awaitQuorum(members().size());
    }

    @Override
    public void close() {
        taps.values().forEach(SessionTap::close);
        ensemble.close();
    }
}
