package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be a name, and what is said about one that may not. */
class NamesTest extends EngineFixture {

    @ParameterizedTest
    @ValueSource(strings = {"a", " ", "order:42", "{}\u0000\n\u007f", "ärger", "鍵", "\uD83D\uDD12", "\uFFFF"})
    void checked_anyText_accepted(String name) {
        assertThat(Names.checked(name)).isSameAs(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "鍵", "\uD83D\uDD12"})
    void checked_atTheLimit_countsBytesOfUtf8(String letter) {
        int bytes = letter.getBytes(StandardCharsets.UTF_8).length;
        int most = 512 / bytes;
        String full = letter.repeat(most) + "x".repeat(512 - most * bytes);

        assertThatCode(() -> Names.checked(full)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Names.checked(full + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name has 513 bytes in UTF-8")
                .hasMessageContaining("at most 512")
                .hasMessageContaining("digest");
    }

    @Test
    void checked_empty_refused() {
        assertThatThrownBy(() -> Names.checked(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name is empty")
                .hasMessageContaining("1 to 512 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\uD83D", "ab\uDD12", "ab\uD83Dc", "ab\uDD12\uD83D"})
    void checked_halfASurrogatePair_refusedWithItsPlace(String name) {
        assertThatThrownBy(() -> Names.checked(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half a surrogate pair at index 2");
    }

    @Test
    void everyKind_badName_refused() {
        List<ThrowingCallable> uses = List.of(
                () -> engine.lock(""),
                () -> engine.readWriteLock(""),
                () -> engine.semaphore("", 1),
                () -> engine.election(""),
                () -> engine.latch("", 1),
                () -> engine.allOf("a", ""));
        uses.forEach(use -> assertThatThrownBy(use)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name is empty"));
    }

    @Test
    void everyKind_nullName_refused() {
        List<ThrowingCallable> uses = List.of(
                () -> engine.lock(null),
                () -> engine.readWriteLock(null),
                () -> engine.semaphore(null, 1),
                () -> engine.election(null),
                () -> engine.latch(null, 1),
                () -> engine.allOf(Collections.singletonList(null)));
        uses.forEach(use -> assertThatThrownBy(use).isInstanceOf(NullPointerException.class));
    }

    @Test
    void everyKind_nullOptions_refused() {
        List<ThrowingCallable> uses = List.of(
                () -> engine.lock("a", null),
                () -> engine.readWriteLock("a", null),
                () -> engine.semaphore("a", 1, null),
                () -> engine.election("a", null),
                () -> engine.allOf(List.of("a"), null));
        uses.forEach(use ->
                assertThatThrownBy(use).isInstanceOf(NullPointerException.class).hasMessage("options"));
    }

    @Test
    void numbers_belowOne_refused() {
        assertThatThrownBy(() -> engine.semaphore("a", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("permits is 0")
                .hasMessageContaining("at least 1");
        assertThatThrownBy(() -> engine.latch("a", -3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("count is -3")
                .hasMessageContaining("at least 1");
        assertThatThrownBy(() -> engine.semaphore("a", 3).taking(4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("permits is 4")
                .hasMessageContaining("at most 3")
                .hasMessageContaining("'a'");
        assertThatThrownBy(() -> engine.semaphore("a", 3).acquire(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("permits is 0");
        assertThat(backend.calls()).isEmpty();
    }

    @Test
    void allOf_noNames_refused() {
        assertThatThrownBy(() -> engine.allOf())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names is empty")
                .hasMessageContaining("at least one");
    }

    @Test
    void toString_lock_saysKindNameAndOptions() {
        assertThat(lock()).hasToString("LOCK 'a' (lease 30s, THROUGHPUT)");
        assertThat(engine.semaphore("s", 2)).asString().startsWith("SEMAPHORE 's'");
        assertThat(engine.allOf("b", "a")).hasToString("MultiLock[a, b]");
    }
}
