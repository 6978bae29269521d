package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrandTest {
    private final List<Boolean> waiting = new ArrayList<>();
    private Errand errand;

    private Errand errand(Courier.Command command) {
        return new Errand(command, System.nanoTime() + 1_000_000_000, 0, false, true);
    }

    /** Who gives up counts from then how late a request may take effect, so its time must not be a later one. */
    @Test
    void begin_commandIsMade_whileTheCallerStillWaits() {
        errand = errand((node, session) -> {
            waiting.add(errand.isWaiting());
            return new byte[][] {{}};
        });
        assertThat(errand.begin(null, null)).isNotNull();
        assertThat(waiting).containsExactly(true);
        assertThat(errand.isWaiting()).isFalse();
    }

    @Test
    void begin_callerGaveUpMeanwhile_isNotSent() {
        errand = errand((node, session) -> {
            errand.refused(new IllegalStateException("over"));
            return new byte[][] {{}};
        });
        assertThat(errand.begin(null, null)).isNull();
        assertThat(errand.begin(null, null)).isNull();
    }
}
