package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"order:42", "{", "}", "}{", "a{b}c", "%7B", "100%", "a b", "\u0000\n\t\u007f", "锁🔒", "*?[x]^\\"
            })
    void key_anyName_hasItsOwnSlotAndComesBack(String name) {
        Resource resource = new Resource(LockKind.SEMAPHORE, name, 1);
        String key = Keys.key("app", resource);

        assertThat(Keys.resource("app", key)).isEqualTo(resource);
        assertThat(key.chars().filter(c -> c == '{').count()).isOne();
        assertThat(key.chars().filter(c -> c == '}').count()).isOne();
        assertThat(key).endsWith("}").matches("[^\\x00-\\x1f\\x7f]+");
        assertThat(Slots.of(key)).isEqualTo(Slots.of(Keys.key("other", new Resource(LockKind.LOCK, name, 1))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "main", "http-nio-8080 exec 7", "100% 锁", "a:b:c", "+", "x +"})
    void claim_anyLabel_hasNoBlankAndComesBack(String label) {
        String claim = Keys.claim(new ClaimId("abc", 42), label);

        assertThat(claim).doesNotContain(" ");
        assertThat(Keys.claimId(claim)).isEqualTo(new ClaimId("abc", 42));
        assertThat(Keys.label(claim)).isEqualTo(label);
    }

    @Test
    void replyException_controlCharacters_areEscapedInItsMessageOnly() {
        RedisReplyException refused = new RedisReplyException(new RedisAddress("h\u001b", 1), "ERR \u001b[2J");

        assertThat(refused).hasMessage("Redis at h\\u001b:1 answered \"ERR \\u001b[2J\"");
        assertThat(refused.reply()).isEqualTo("ERR \u001b[2J");
    }
}
