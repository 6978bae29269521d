package io.holdfast.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final String COMPLETE = "Model checking completed. No error has been found.\n";
    private static final String BROKEN = """
            Error: Invariant TokensGrow is violated.
            State 1: <Initial predicate>
            State 2: <AttemptArrives line 1, col 5 to line 2, col 5 of module Quorum>
            State 3: <HandOutAtOnce line 1, col 5 to line 2, col 5 of module Quorum>
            9 states generated, 4 distinct states found, 2 states left on queue.
            """;

    @Test
    void of_everyStateVisited_isSafe() {
        Outcome outcome =
                Outcome.of(0, COMPLETE + "9 states generated, 4 distinct states found, 0 states left on queue.", 1);
        assertThat(outcome.verdict()).isEqualTo(Configuration.SAFE);
        assertThat(outcome.generated()).isEqualTo(9);
        assertThat(outcome.distinct()).isEqualTo(4);
    }

    @Test
    void of_statesLeft_isNotSafe() {
        Outcome outcome =
                Outcome.of(0, COMPLETE + "9 states generated, 4 distinct states found, 1 states left on queue.", 1);
        assertThat(outcome.verdict()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void of_anErrorWithoutAVerdict_isFailed() {
        assertThat(Outcome.of(150, "Parse Error", 1).verdict()).isEqualTo(Outcome.FAILED);
        assertThat(Outcome.of(0, "", 1).verdict()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void of_aBrokenInvariant_isNamedWithTheStepsToIt() {
        Outcome outcome = Outcome.of(12, BROKEN, 1);
        assertThat(outcome.verdict()).isEqualTo("TokensGrow");
        assertThat(outcome.steps()).containsExactly("AttemptArrives", "HandOutAtOnce");
    }

    @Test
    void of_coverage_namesTheActionsThatNeverHappened() {
        Outcome outcome = Outcome.of(
                0,
                "<Open line 3, col 1 to line 3, col 7 of module Quorum>: 0:0\n<LetGo line 9, col 1 to line 9, col 8 of module Quorum>: 0:7",
                1);
        assertThat(outcome.idle()).containsExactly("Open");
    }
}
