package io.holdfast.testing.zookeeper;

import io.holdfast.testing.process.Ports;
import io.holdfast.testing.redis.FaultProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three ZooKeeper servers that make one store. Each reaches the others through proxies of its own, so that any server
 * can be cut off from the others while its clients go on talking to it.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private static final int SIZE = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final List<ZooKeeperServer> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();

    /** For each server, the ways that lead from it and to it. */
    private final List<List<FaultProxy>> links = new ArrayList<>();

    private ZooKeeperEnsemble(int tickMillis, Map<String, String> more, List<String> flags) {
        int[] quorum = new int[SIZE];
        int[] election = new int[SIZE];
        for (int i = 0; i < SIZE; i++) {
            servers.add(new ZooKeeperServer(tickMillis, more, flags));
            quorum[i] = Ports.free();
            election[i] = Ports.free();
            links.add(new ArrayList<>());
        }
        for (int i = 0; i < SIZE; i++) {
            Map<String, String> settings = servers.get(i).settings();
            settings.putIfAbsent("initLimit", "20");
            settings.putIfAbsent("syncLimit", "10");
            for (int j = 0; j < SIZE; j++) {
                int toQuorum = i == j ? quorum[j] : link(i, j, quorum[j]);
                int toElection = i == j ? election[j] : link(i, j, election[j]);
                settings.put("server." + (j + 1), Ports.HOST + ":" + toQuorum + ":" + toElection);
            }
            number(i);
        }
    }

    private int link(int from, int to, int port) {
        FaultProxy proxy = FaultProxy.ofBytes(Ports.HOST, port);
        proxies.add(proxy);
        links.get(from).add(proxy);
        links.get(to).add(proxy);
        return proxy.port();
    }

    private void number(int i) {
        try {
            Files.createDirectories(servers.get(i).data());
            Files.writeString(servers.get(i).data().resolve("myid"), String.valueOf(i + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Three servers with ticks of half a second that give sessions of up to five minutes. */
    public static ZooKeeperEnsemble start() {
        return start(500, Map.of("maxSessionTimeout", "300000"));
    }

    /** Three servers with more lines in their configurations. */
    public static ZooKeeperEnsemble start(int tickMillis, Map<String, String> more) {
        return start(tickMillis, more, List.of());
    }

    /** Three servers with more lines in their configurations and more flags for their JVMs. */
    public static ZooKeeperEnsemble start(int tickMillis, Map<String, String> more, List<String> flags) {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(tickMillis, more, flags);
        ensemble.servers.forEach(ZooKeeperServer::launch);
        ensemble.awaitQuorum(SIZE);
        return ensemble;
    }

    /** Returns when so many servers serve, one of them as the leader. */
    public void awaitQuorum(int serving) {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<String> modes = servers.stream()
                    .map(ZooKeeperServer::mode)
                    .filter(mode -> !mode.isEmpty())
                    .toList();
            if (modes.size() >= serving && modes.contains("leader")) {
                return;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                String outputs = servers.stream()
                        .map(server -> ServerProcess.output(server.folder()))
                        .collect(Collectors.joining("\n"));
                throw new IllegalStateException("No quorum of " + serving + ", but " + modes + ":\n" + outputs);
            }
            ZooKeeperServer.pause();
        }
    }

    public List<ZooKeeperServer> servers() {
        return List.copyOf(servers);
    }

    /** For a connect string. */
    public String address() {
        return servers.stream().map(ZooKeeperServer::address).collect(Collectors.joining(","));
    }

    /** The server that leads now. */
    public ZooKeeperServer leader() {
        return byMode("leader").findFirst().orElseThrow();
    }

    /** The servers that follow now. */
    public List<ZooKeeperServer> followers() {
        return byMode("follower").toList();
    }

    private Stream<ZooKeeperServer> byMode(String mode) {
        return servers.stream().filter(server -> server.mode().equals(mode));
    }

    /** Nothing passes between this server and the others; clients still reach it. */
    public void cutOff(ZooKeeperServer server) {
        links.get(servers.indexOf(server)).forEach(FaultProxy::halfOpen);
    }

    /** All that was cut passes again. */
    public void heal() {
        proxies.forEach(FaultProxy::heal);
    }

    @Override
    public void close() {
        servers.forEach(ZooKeeperServer::close);
        proxies.forEach(FaultProxy::close);
    }
}
