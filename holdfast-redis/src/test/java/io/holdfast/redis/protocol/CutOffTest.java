package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisReplyException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which settings let two masters write at once. */
class CutOffTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 10, ''",
        "1, 1, 10, ''",
        "2, 1, 10, ''",
        "3, 1, 10, write 2",
        "3, 2, 10, ''",
        "4, 2, 10, ''",
        "5, 2, 10, write 3",
        "1, 1, 11, lag 10",
        "1, 1, 1, ''"
    })
    void trouble_settings_moreThanHalfAndSoonEnough(int replicas, int needed, int lagSeconds, String remedy) {
        CutOff trouble = CutOff.trouble(
                info(replicas, true),
                words -> List.of(
                        words[2], String.valueOf(words[2].equals("min-replicas-to-write") ? needed : lagSeconds)));
        if (remedy.isEmpty()) {
            assertThat(trouble).isNull();
        } else {
            assertThat(trouble).isNotNull();
            assertThat(trouble.remedy()).endsWith(remedy);
        }
    }

    @Test
    void trouble_noMinReplicas_toldWithoutReadingSettings() {
        CutOff trouble = CutOff.trouble(info(3, false), words -> {
            throw new AssertionError("not asked");
        });
        assertThat(trouble).isNotNull();
        assertThat(trouble.remedy()).isEqualTo("CONFIG SET min-replicas-to-write 2");
    }

    @Test
    void trouble_settingsNotReadable_none() {
        assertThat(CutOff.trouble(info(3, true), words -> {
                    throw new RedisReplyException(new RedisAddress("a", 1), "NOPERM");
                }))
                .isNull();
    }

    private static ServerInfo info(int replicas, boolean set) {
        return new ServerInfo("connected_slaves:" + replicas + (set ? "\nmin_slaves_good_slaves:" + replicas : ""));
    }
}
