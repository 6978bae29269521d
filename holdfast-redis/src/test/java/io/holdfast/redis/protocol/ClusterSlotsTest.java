package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.driver.RedisAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSlotsTest {
    private static final RedisAddress ASKED = new RedisAddress("asked", 7000);

    private static List<Object> range(long from, long to, String host, long port) {
        return List.of(from, to, Arrays.asList(host == null ? null : host.getBytes(StandardCharsets.UTF_8), port));
    }

    @Test
    void read_ranges_areInOrderWithTheirMasters() {
        ClusterSlots slots = ClusterSlots.read(
                List.of(range(100, 199, "b", 2), range(0, 99, "a", 1), range(300, 300, "a", 1)), ASKED);

        assertThat(slots.masters()).containsExactlyInAnyOrder(new RedisAddress("a", 1), new RedisAddress("b", 2));
        assertThat(slots.of(new RedisAddress("a", 1))).isEqualTo("0-99,300-300");
        assertThat(slots.of(ASKED)).isEmpty();
    }

    /** Rule: a server that does not know its own address means the one at which it was reached. */
    @Test
    void read_hostIsMissing_isTheOneThatWasAsked() {
        ClusterSlots slots = ClusterSlots.read(List.of(range(0, 9, null, 7000), range(10, 19, "", 7000)), ASKED);

        assertThat(slots.masters()).containsExactly(ASKED);
        assertThat(slots.of(ASKED)).isEqualTo("0-9,10-19");
    }

    @Test
    void read_nothing_isEmpty() {
        assertThat(ClusterSlots.read(List.of(), ASKED).isEmpty()).isTrue();
        assertThat(ClusterSlots.read(null, ASKED).isEmpty()).isTrue();
    }
}
