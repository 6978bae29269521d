package io.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ManualRuntimeTest {
    private static final long MILLI = 1_000_000;

    private final ManualRuntime runtime = new ManualRuntime();
    private final List<String> done = new ArrayList<>();
    private final long start = runtime.time().nanoTime();

    private Runnable note(String what) {
        return () -> done.add(what + " at " + (runtime.time().nanoTime() - start) / MILLI);
    }

    private Runnable schedule(String what, long millis) {
        return runtime.schedule(note(what), millis * MILLI);
    }

    private void advance(long millis) {
        runtime.advance(Duration.ofMillis(millis));
    }

    @Test
    void execute_anyExecutor_runsWhenDrivenAndNotBefore() {
        runtime.worker().execute(note("work"));
        runtime.renewals().execute(note("renewal"));
        runtime.callbacks().execute(note("callback"));
        assertThat(done).isEmpty();
        runtime.runReady();
        assertThat(done).containsExactly("work at 0", "renewal at 0", "callback at 0");
    }

    @Test
    void schedule_severalTimers_runInTheOrderOfTheirTime() {
        assertThat(List.of(schedule("c", 30), schedule("a", 10), schedule("b", 20), schedule("also b", 20)))
                .hasSize(4);
        advance(9);
        assertThat(done).isEmpty();
        advance(16);
        assertThat(done).containsExactly("a at 10", "b at 20", "also b at 20");
        advance(100);
        assertThat(done).endsWith("c at 30");
        assertThat(runtime.scheduled()).isZero();
    }

    @Test
    void schedule_takenBack_doesNotRun() {
        Runnable takeBack = schedule("never", 10);
        takeBack.run();
        takeBack.run();
        advance(20);
        assertThat(done).isEmpty();
        assertThat(runtime.scheduled()).isZero();
    }

    @Test
    void schedule_fromATask_runsInTheSameAdvance() {
        assertThat(runtime.schedule(
                        () -> {
                            note("first").run();
                            runtime.worker().execute(note("work"));
                            assertThat(schedule("second", 5)).isNotNull();
                        },
                        10 * MILLI))
                .isNotNull();
        advance(15);
        assertThat(done).containsExactly("first at 10", "work at 10", "second at 15");
    }

    @Test
    void schedule_negativeOrHugeDelay_isNowOrNever() {
        assertThat(runtime.schedule(note("never"), Long.MAX_VALUE)).isNotNull();
        assertThat(runtime.schedule(note("now"), -5)).isNotNull();
        advance(1);
        assertThat(done).containsExactly("now at 0");
        assertThat(runtime.scheduled()).isEqualTo(1);
    }

    @Test
    void schedule_clockAboutToOverflow_keepsTheOrder() {
        ManualRuntime late = new ManualRuntime(new ManualTime(Long.MAX_VALUE - 5, 0), 1);
        assertThat(late.schedule(() -> done.add("second"), 10)).isNotNull();
        assertThat(late.schedule(() -> done.add("first"), 3)).isNotNull();
        late.advance(Duration.ofNanos(20));
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void pause_insideATask_letsOthersRunMeanwhile() {
        runtime.worker().execute(() -> {
            runtime.pause(20 * MILLI);
            note("after the pause").run();
        });
        assertThat(schedule("meanwhile", 10)).isNotNull();
        advance(5);
        assertThat(done).containsExactly("meanwhile at 10", "after the pause at 20");
        assertThat(runtime.time().nanoTime() - start).isEqualTo(20 * MILLI);
    }

    @Test
    void advance_taskThrows_comesOut() {
        runtime.worker().execute(() -> {
            throw new IllegalStateException("thrown by a test");
        });
        assertThatThrownBy(() -> advance(1)).hasMessage("thrown by a test");
        assertThatThrownBy(() -> advance(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void runReady_clockMovedByHand_runsWhatIsDue() {
        assertThat(schedule("due", 10)).isNotNull();
        runtime.clocks().advance(Duration.ofMillis(12));
        assertThat(done).isEmpty();
        runtime.runReady();
        assertThat(done).containsExactly("due at 12");
    }

    @Test
    void random_sameSeed_isTheSameAndInBounds() {
        assertThat(numbers(7)).isEqualTo(numbers(7)).isNotEqualTo(numbers(8));
        assertThat(numbers(7)).allSatisfy(number -> assertThat(number).isBetween(0L, 9L));
    }

    private static List<Long> numbers(long seed) {
        ManualRuntime seeded = new ManualRuntime(new ManualTime(), seed);
        return LongStream.range(0, 50).map(i -> seeded.random(10)).boxed().toList();
    }

    @Test
    void close_afterwards_runsNothing() {
        assertThat(schedule("timer", 1)).isNotNull();
        runtime.worker().execute(note("work"));
        runtime.close();
        runtime.close();
        runtime.worker().execute(note("late work"));
        assertThat(schedule("late timer", 1)).isNotNull();
        advance(10);
        assertThat(done).isEmpty();
        assertThat(runtime.scheduled()).isZero();
    }
}
