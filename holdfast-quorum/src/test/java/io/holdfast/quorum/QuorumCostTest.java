package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.CommandStat;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a lock costs, counted. */
@Tag("integration")
class QuorumCostTest {
    private static final int CYCLES = 200;

    @AutoClose
    private Rig rig;

    @BeforeEach
    void open() {
        rig = new Rig(3);
    }

    private long scripts(RedisServer server) {
        CommandStat stat = server.commandStats().get("evalsha");
        return stat == null ? 0 : stat.calls();
    }

    /** One command to each node to lock and one to unlock: one parallel round trip each. */
    @Test
    void uncontended_oneCommandEachWayToEachNode() {
        LockClient client = rig.client();
        client.lock("a").acquire().close();
        List<Long> before = List.of(scripts(rig.server(0)), scripts(rig.server(1)), scripts(rig.server(2)));
        for (int i = 0; i < CYCLES; i++) {
            client.lock("a").acquire().close();
        }
        for (int node = 0; node < 3; node++) {
            assertThat(scripts(rig.server(node)) - before.get(node)) // and a few of the maintenance's
                    .isBetween(2L * CYCLES, 2L * CYCLES + 10);
        }
    }

    @Test
    void fastPath_clocksWithinFiveMillis_almostAllGrants() {
        rig.clock(0).step(Duration.ofMillis(-2));
        rig.clock(2).step(Duration.ofMillis(3));
        Rig.Counted counted = rig.counted();
        for (int i = 0; i < CYCLES; i++) {
            counted.client().lock("name-" + i % 7).acquire().close();
        }
        assertThat(counted.counters().atOnce() + counted.counters().raised()).isEqualTo(CYCLES);
        assertThat(counted.counters().atOnce()).isGreaterThanOrEqualTo(CYCLES * 9 / 10);
    }

    /** Clocks that are far apart cost a second round trip at first, and no guarantee. */
    @Test
    void tokens_clocksSecondsApart_growAndAreRaised() {
        rig.clock(0).step(Duration.ofSeconds(-20));
        rig.clock(2).step(Duration.ofSeconds(20));
        Rig.Counted one = rig.counted();
        Rig.Counted other = rig.counted();
        long last = 0;
        for (int i = 0; i < 50; i++) {
            for (Rig.Counted counted : List.of(one, other)) {
                try (Lease lease = counted.client().lock("a").acquire()) {
                    assertThat(lease.token()).isGreaterThan(last);
                    last = lease.token();
                }
            }
        }
    }
}
