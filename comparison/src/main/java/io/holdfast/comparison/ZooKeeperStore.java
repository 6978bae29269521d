package io.holdfast.comparison;

import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper server in a process of its own, which writes to disk before it answers. */
final class ZooKeeperStore implements Store {
    private static final String RECEIVED = "Received: ";

    private final ZooKeeperServer server = ZooKeeperServer.start();

    @Override
    public String address() {
        return server.address();
    }

    @Override
    public long cpuMicros() {
        return ProcessTime.micros(server.pid());
    }

    /** A request that a client sends without waiting for the answer to the one before counts as well. */
    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        long before = received();
        work.call();
        return received() - before;
    }

    private long received() {
        return server.ask("srvr")
                .lines()
                .filter(line -> line.startsWith(RECEIVED))
                .mapToLong(line -> Long.parseLong(line.substring(RECEIVED.length())))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        server.close();
    }
}
