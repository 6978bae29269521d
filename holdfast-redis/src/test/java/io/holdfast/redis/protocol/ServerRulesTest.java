package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerRulesTest {
    private static final String FIT = """
            redis_version:7.0.15
            redis_mode:standalone
            arch_bits:64
            role:master
            run_id:abc
            master_replid:def
            maxmemory_policy:noeviction
            """;

    private static RedisSettings settings(boolean strict, boolean acceptsEviction) {
        Duration second = Duration.ofSeconds(1);
        return new RedisSettings(
                "test",
                null,
                second,
                Timing.SYSTEM,
                strict,
                Duration.ofMinutes(1),
                0,
                second,
                acceptsEviction,
                false,
                null,
                0);
    }

    private static List<ServerRules.Broken> broken(String info, boolean strict) {
        return ServerRules.broken(new ServerInfo(info), settings(strict, false), false);
    }

    @Test
    void broken_fitServer_nothing() {
        assertThat(broken(FIT, true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis_version:7.0.15         | redis_version:6.0.9            | version | is Redis 6.0.9
            redis_version:7.0.15         | redis_version:6.2.14           | version | keeps scripts over a restart
            redis_mode:standalone        | redis_mode:sentinel            | role    | is a Sentinel
            redis_mode:standalone        | redis_mode:cluster             | role    | belongs to a cluster
            arch_bits:64                 | arch_bits:32                   | version | 32-bit
            run_id:abc                   | other:abc                      | version | does not tell its run_id
            role:master                  | role:slave                     | role    | is a replica of
            maxmemory_policy:noeviction  | maxmemory_policy:allkeys-lru   | memory  | may drop a lock
            """)
    void broken_oneThing_isToldWithARemedy(String from, String to, String check, String what) {
        assertThat(broken(FIT.replace(from, to), true)).anySatisfy(each -> {
            assertThat(each.check()).isEqualTo(check);
            assertThat(each.what()).contains(what);
            assertThat(each.remedy()).isNotEmpty();
        });
    }

    @Test
    void broken_severalThings_areAllTold() {
        String bad = FIT.replace("role:master", "role:slave").replace("noeviction", "allkeys-lru");
        assertThat(broken(bad, false)).hasSize(2);
        assertThat(ServerRules.broken(new ServerInfo(bad), settings(false, true), false))
                .hasSize(1);
    }

    @Test
    void broken_mark_otherLeaseOrOtherQuorum() {
        RedisSettings member = settings(true, false).asMember(3);
        assertThat(ServerRules.broken(new Mark("a", 0, 60_000, 3), member)).isEmpty();
        assertThat(ServerRules.broken(new Mark("a", 0, 30_000, 5), member)).hasSize(2);
    }

    @Test
    void clock_moreThanAMinuteOff_isWrongButMayBeSet() {
        assertThat(ServerRules.broken(new ClockSkew(Duration.ofMinutes(-1)))).isEmpty();
        assertThat(ServerRules.broken(new ClockSkew(Duration.ofSeconds(-61))))
                .singleElement()
                .satisfies(broken -> {
                    assertThat(broken.check()).isEqualTo(ServerRules.CLOCK);
                    assertThat(broken.on("host", true))
                            .hasMessageContaining("host has a clock that is 1m 1s behind ours; set both clocks")
                            .returns(false, RedisUnfitException::isLasting)
                            .returns(false, RedisUnfitException::isPassing);
                });
    }

    @Test
    void mark_asItIsStored_isRead() {
        Mark mark = new Mark("run/repl", 17, 60_000, 3);

        assertThat(Mark.stored("run/repl 17 60000 3")).isEqualTo(mark);
        assertThat(Mark.stored("run/repl 17 60000 3 0-5@0,7-9@12")).isEqualTo(mark);
        assertThat(Mark.stored(null)).isNull();
        assertThat(Mark.stored("run/repl 17")).isNull();
        assertThat(Mark.answered(List.of(1L, 17L, 60_000L, "run/repl", 3L, ""))).isEqualTo(mark);
    }
}
