package io.holdfast.zookeeper;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.zookeeper.ZooKeeperEnsemble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on three servers, where what is read may be old. */
@Tag("integration")
@Tag("full")
class EnsembleContractTest extends BackendContract {
    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    @Override
    protected BackendFixture newFixture() {
        return new ZooKeeperFixture(ensemble.address(), null);
    }
}
