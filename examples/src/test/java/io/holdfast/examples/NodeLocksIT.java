package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.zookeeper.ZooKeeperServer;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The locks of the articles, on a real ZooKeeper. */
@Tag("integration")
class NodeLocksIT {
    @RegisterExtension
    private final Printed printed = new Printed();

    @Test
    void main_onZooKeeper_showsWhatGoesWrongAndLeavesNoNode() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            NodeLocks.main(new String[] {server.address()});

            assertThat(printed.lines())
                    .containsExactly(
                            "-- one node, which everybody watches",
                            "A locks: true",
                            "others wait: 5",
                            "A gives back. Woken up: 5, served: 1",
                            "-- ordered nodes, of which each watches the one before",
                            "first locks: true",
                            "first gives back. The third was not woken up: true",
                            "second has it: true",
                            "the session of the second has ended. Third has it: true, and so believes the second: true",
                            "-- the same with Holdfast",
                            "A stood still, and B has it. So believes A: false",
                            "A gives back. B still has it: true",
                            "a fence would refuse A: true");
            try (ZooKeeper looks = new ZooKeeper(server.address(), 30_000, event -> {})) {
                assertThat(looks.getChildren("/", false)).containsExactly("zookeeper");
            }
        }
    }
}
