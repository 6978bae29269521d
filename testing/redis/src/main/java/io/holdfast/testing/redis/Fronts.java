package io.holdfast.testing.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Under which addresses servers know each other: proxies, so that one of them can be parted from the others while all
 * live. Whoever uses a server's own address, as the tests do, reaches it all the same. Thread-safe.
 */
final class Fronts implements AutoCloseable {
    private final Map<RedisServer, FaultProxy> doors = new ConcurrentHashMap<>();
    private final Map<RedisServer, BusProxy> buses = new ConcurrentHashMap<>();

    /** Has the server tell others its door instead of its own port. */
    void open(RedisServer server) {
        FaultProxy door = FaultProxy.to(server);
        doors.put(server, door);
        server.command("CONFIG", "SET", "replica-announce-ip", door.host());
        server.command("CONFIG", "SET", "replica-announce-port", String.valueOf(door.port()));
        server.command("CONFIG", "REWRITE");
    }

    /** The same for a node of a cluster, which reads it when it starts. */
    void openNode(RedisServer node) {
        FaultProxy door = FaultProxy.to(node);
        BusProxy bus = new BusProxy(node);
        doors.put(node, door);
        buses.put(node, bus);
        node.command("CONFIG", "SET", "cluster-announce-port", String.valueOf(door.port()));
        node.command("CONFIG", "SET", "cluster-announce-bus-port", String.valueOf(bus.port()));
        node.command("CONFIG", "REWRITE");
        node.restart();
    }

    /** The port that others are told. */
    int port(RedisServer server) {
        FaultProxy door = doors.get(server);
        return door == null ? server.port() : door.port();
    }

    int busPort(RedisServer node) {
        BusProxy bus = buses.get(node);
        return bus == null ? node.port() + ServerPorts.BUS_OFFSET : bus.port();
    }

    /** Parts a server from all others. Not silently: their connections to it are reset, and new ones refused. */
    void isolate(RedisServer server, boolean silently) {
        FaultProxy door = door(server);
        if (silently) {
            door.halfOpen();
        } else {
            door.refuse();
            door.reset();
        }
        if (!buses.isEmpty()) {
            String id = String.valueOf(server.command("CLUSTER", "MYID"));
            buses.forEach((node, bus) -> bus.cut(sender -> node == server || sender.equals(id)));
        }
    }

    private FaultProxy door(RedisServer server) {
        FaultProxy door = doors.get(server);
        if (door == null) {
            throw new IllegalStateException(server + " has no front: start the servers with fronts to part them");
        }
        return door;
    }

    void rejoin() {
        doors.values().forEach(FaultProxy::heal);
        buses.values().forEach(BusProxy::heal);
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(doors.values());
        all.addAll(buses.values());
        Closing.all(all);
    }
}
