package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallersTest {
    @Test
    void enterOr_hundredThousandWait_nextIsRefusedAndToldWhatToDo() {
        Callers callers = new Callers(new StubServer(), 1, Duration.ofSeconds(2), Timing.SYSTEM);
        assertThat(callers.enter()).isTrue();
        for (int i = 0; i < 100_000; i++) {
            assertThat(callers.enterOr(call())).isFalse();
        }
        assertThatThrownBy(() -> callers.enterOr(call()))
                .isInstanceOf(RedisLinkException.class)
                .hasMessageContaining("raise connections(), or ask for fewer locks at once");
        callers.close();
    }

    private static WaitingCall call() {
        return new WaitingCall(session -> new byte[0][], Timing.SYSTEM, Long.MAX_VALUE, 0, false, true);
    }
}
