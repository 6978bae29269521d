package io.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultScriptTest {
    private final FaultScript script = new FaultScript();

    @Test
    void next_noLine_isNoFault() {
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.None());
        assertThat(Faults.none().next(new Call.Missed())).isEqualTo(new Fault.None());
    }

    @Test
    void once_twoLines_areUsedInOrder() {
        script.once(Call.Missed.class, new Fault.LostReply()).once(Call.Missed.class, new Fault.Down());
        assertThat(script.next(new Call.Look("other"))).isEqualTo(new Fault.None());
        assertThat(script.isPending()).isTrue();
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.LostReply());
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.Down());
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.None());
        assertThat(script.isPending()).isFalse();
    }

    @Test
    void once_twoEqualLines_areUsedOnceEach() {
        script.once(Call.Missed.class, new Fault.Down()).once(Call.Missed.class, new Fault.Down());
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.Down());
        assertThat(script.isPending()).isTrue();
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.Down());
        assertThat(script.isPending()).isFalse();
    }

    @Test
    void always_untilCleared_fitsEveryCall() {
        script.always(Call.Look.class, new Fault.Down());
        for (int i = 0; i < 3; i++) {
            assertThat(script.next(new Call.Look("name"))).isEqualTo(new Fault.Down());
        }
        script.clear();
        assertThat(script.next(new Call.Look("name"))).isEqualTo(new Fault.None());
    }

    @Test
    void cut_anyCall_isDown() {
        script.cut();
        assertThat(script.next(new Call.Missed())).isEqualTo(new Fault.Down());
        assertThat(script.next(new Call.Look("name"))).isEqualTo(new Fault.Down());
    }
}
