package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.redis.protocol.Scripts.Name;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptsTest {

    @ParameterizedTest
    @EnumSource(Name.class)
    void text_anotherServer_isAnother(Name name) {
        Scripts one = new Scripts("server-1", "p:", null);
        Scripts other = new Scripts("server-2", "p:", null);

        assertThat(one.text(name))
                .isNotEqualTo(other.text(name))
                .isEqualTo(new Scripts("server-1", "p:", null).text(name));
    }

    @ParameterizedTest
    @EnumSource(Name.class)
    void text_hasWhatItIncludes_andNoComments(Name name) {
        assertThat(new String(new Scripts("server-1", "p:", null).text(name), StandardCharsets.UTF_8).lines())
                .first()
                .asString()
                .startsWith("local NODE")
                .contains("server-1");
        assertThat(new String(new Scripts("server-1", "p:", null).text(name), StandardCharsets.UTF_8).lines())
                .noneMatch(line -> line.strip().startsWith("--"))
                .anyMatch(line -> line.startsWith("return") || line.startsWith("  return"));
    }

    @Test
    void digest_wasNotLoaded_isRefused() {
        Scripts scripts = new Scripts("server-1", "p:", null);

        assertThatIllegalStateException()
                .isThrownBy(() -> scripts.digest(Name.GUARD))
                .withMessageContaining("GUARD");
        scripts.loaded(Name.GUARD, Bytes.of("cafe"));
        assertThat(scripts.digest(Name.GUARD)).isEqualTo(Bytes.of("cafe"));
    }
}
