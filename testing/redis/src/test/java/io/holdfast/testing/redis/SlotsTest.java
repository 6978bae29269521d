package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotsTest {
    @Test
    void of_knownKeys_areWhereRedisPutsThem() {
        assertThat(Slots.of("123456789")).isEqualTo(0x31c3);
        assertThat(Slots.of("foo")).isEqualTo(12_182);
        assertThat(Slots.of("")).isEqualTo(0);
    }

    @Test
    void of_hashTag_countsAlone() {
        assertThat(Slots.of("a{foo}b")).isEqualTo(Slots.of("foo"));
        assertThat(Slots.of("a{foo}{bar}")).isEqualTo(Slots.of("foo"));
        assertThat(Slots.of("a{}b")).isNotEqualTo(Slots.of("")).isNotEqualTo(Slots.of("ab"));
    }
}
