package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.protocol.Scripts.Name;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptsTest {

    @ParameterizedTest
    @EnumSource(Name.class)
    void digest_anotherServer_isAnother(Name name) {
        Scripts one = new Scripts("server-1", "p:", null);
        Scripts other = new Scripts("server-2", "p:", null);

        assertThat(one.digest(name))
                .isNotEqualTo(other.digest(name))
                .isEqualTo(new Scripts("server-1", "p:", null).digest(name));
        assertThat(new String(one.text(name), java.nio.charset.StandardCharsets.UTF_8))
                .contains("server-1")
                .doesNotContain("-- include");
    }
}
