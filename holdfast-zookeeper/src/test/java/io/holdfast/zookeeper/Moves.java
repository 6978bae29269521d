package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.zookeeper.SessionTap;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** Takes and gives back locks while the connection moves to another way, at each step of it. */
final class Moves {
    /** Of a lock that nobody has used: its node, which has no parent; the parent, and the node. */
    private static final int ANSWERS_OF_A_FIRST_ATTEMPT = 3;

    private static final int ANSWERS_OF_AN_ATTEMPT = 1;

    /** Beside something that is no claim: its node, and the list. */
    private static final int ANSWERS_OF_AN_ATTEMPT_IN_COMPANY = 2;

    private static final int ANSWERS_OF_A_RELEASE = 1;

    private final List<SessionTap> ways;
    private final ZooKeeper operator;
    private final LockClient locks;

    private Moves(List<SessionTap> ways, ZooKeeper operator, LockClient locks) {
        this.ways = ways;
        this.operator = operator;
        this.locks = locks;
    }

    static void atEachStep(List<SessionTap> ways, Duration tick, ZooKeeper operator) throws Exception {
        String servers = ways.stream().map(SessionTap::address).collect(Collectors.joining(","));
        try (LockClient locks = ZooKeeperLocks.builder(servers)
                .tick(tick)
                .session(Duration.ofSeconds(40))
                .defaults(LockOptions.defaults().waitThroughOutages(Duration.ofSeconds(40)))
                .connect()) {
            Moves moves = new Moves(ways, operator, locks);
            for (int answer = 1; answer <= ANSWERS_OF_A_FIRST_ATTEMPT; answer++) {
                moves.takeAndGiveBack("first:" + answer, answer, 0);
            }
            locks.lock("again").acquire().close();
            for (int answer = 1; answer <= ANSWERS_OF_AN_ATTEMPT; answer++) {
                moves.takeAndGiveBack("again", answer, 0);
            }
            for (String path : List.of("/holdfast/lock:company", "/holdfast/lock:company/stranger")) {
                operator.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            for (int answer = 1; answer <= ANSWERS_OF_AN_ATTEMPT_IN_COMPANY; answer++) {
                moves.takeAndGiveBack("company", answer, 0);
            }
            for (int answer = 1; answer <= ANSWERS_OF_A_RELEASE; answer++) {
                moves.takeAndGiveBack("again", 0, answer);
            }
        }
    }

    private void takeAndGiveBack(String name, int lostOfAttempt, int lostOfRelease) throws Exception {
        String step = name + ", " + lostOfAttempt + ", " + lostOfRelease;
        SessionTap used = used();
        used.closeAtAnswer(lostOfAttempt);
        Lease lease = locks.lock(name).acquire();
        if (lostOfAttempt > 0) {
            assertThat(used()).as(step).isNotSameAs(used);
            used = used();
        }
        assertThat(lease.isValid()).as(step).isTrue();
        assertThat(children(name)).as(step).hasSize(1);
        used.closeAtAnswer(lostOfRelease);
        lease.close();
        if (lostOfRelease > 0) {
            assertThat(used()).as(step).isNotSameAs(used);
        }
        assertThat(children(name)).as(step).isEmpty();
    }

    private SessionTap used() {
        return ways.stream()
                .filter(way -> !way.sessions().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private List<String> children(String name) throws Exception {
        String path = "/holdfast/lock:" + name;
        try {
            operator.sync(path);
            return operator.getChildren(path, false).stream()
                    .filter(child -> !child.equals("stranger"))
                    .toList();
        } catch (KeeperException.NoNodeException removed) {
            return List.of(); // a container goes when it is empty
        }
    }
}
