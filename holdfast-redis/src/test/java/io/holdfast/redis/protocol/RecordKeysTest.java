package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import org.junit.jupiter.api.Test;

class RecordKeysTest {
    private final RecordKeys keys = new RecordKeys("test");

    @Test
    void of_manyNamesAndKinds_eachHasItsOwn() {
        for (int i = 0; i < 1_000; i++) {
            for (LockKind kind : LockKind.values()) {
                check(kind, i);
            }
        }
        for (LockKind kind : LockKind.values()) {
            for (int i = 0; i < 1_000; i++) {
                check(kind, i);
            }
        }
    }

    private void check(LockKind kind, int number) {
        Resource resource = new Resource(kind, "name {" + number, 1 + number);
        RecordKeys.Key key = keys.of(resource);

        assertThat(key.text()).isEqualTo(Keys.key("test", resource));
        assertThat(key.bytes()).isEqualTo(Bytes.of(key.text()));
    }

    @Test
    void of_sameNameOnceMore_isNotMadeAnew() {
        RecordKeys.Key first = keys.of(new Resource(LockKind.SEMAPHORE, "a", 4));

        assertThat(keys.of(new Resource(LockKind.SEMAPHORE, "a", 5))).isSameAs(first);
    }
}
