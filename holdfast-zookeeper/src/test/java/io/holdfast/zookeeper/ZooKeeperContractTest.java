package io.holdfast.zookeeper;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on one server. */
@Tag("integration")
class ZooKeeperContractTest extends BackendContract {
    private static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected BackendFixture newFixture() {
        return new ZooKeeperFixture(server.address(), server.port());
    }
}
