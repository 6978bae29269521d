package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.settings.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class WaitingCallTest {
    private final List<Boolean> waiting = new ArrayList<>();
    private WaitingCall call;

    private WaitingCall call(Function<Session, byte[][]> command) {
        return new WaitingCall(command, Timing.SYSTEM, System.nanoTime() + 1_000_000_000, 0, false, true);
    }

    /**
     * A caller that gives up counts from then how late a request may take effect, so the request's time must not be
     * later.
     */
    @Test
    void begin_commandIsMade_whileTheCallerStillWaits() {
        call = call(session -> {
            waiting.add(call.isWaiting());
            return new byte[][] {{}};
        });
        assertThat(call.begin(null)).isNotNull();
        assertThat(waiting).containsExactly(true);
        assertThat(call.isWaiting()).isFalse();
    }

    @Test
    void begin_callerGaveUpMeanwhile_isNotSent() {
        call = call(session -> {
            call.refused(new IllegalStateException("over"));
            return new byte[][] {{}};
        });
        assertThat(call.begin(null)).isNull();
        assertThat(call.begin(null)).isNull();
    }
}
