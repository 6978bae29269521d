package io.holdfast.quorum;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Five nodes are for the profile "full"; {@link QuorumOfThreeContractTest} always runs. */
@Tag("integration")
@Tag("full")
class QuorumOfFiveContractTest extends BackendContract {
    private static Servers servers;

    @BeforeAll
    static void start() {
        servers = Servers.start(5);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @Override
    protected BackendFixture newFixture() {
        return new QuorumFixture(servers);
    }
}
