package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.AttemptResult.Busy;
import io.holdfast.spi.AttemptResult.Granted;
import io.holdfast.spi.AttemptResult.Mismatched;
import io.holdfast.spi.AttemptResult.Queued;
import io.holdfast.spi.AttemptResult.Refused;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the answers of three or five members mean. */
class BallotTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(9);
    private static final Duration PAUSE = Duration.ofMillis(30);

    private static Ballot of(int needed, Object... answers) {
        Ballot ballot = new Ballot(answers.length, needed);
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] instanceof AttemptResult answer) {
                ballot.answered(i, answer);
            } else {
                ballot.failed(i, new IllegalStateException("down"));
            }
        }
        return ballot;
    }

    private static Granted granted(long token) {
        return new Granted(token, LONG);
    }

    @Test
    void agreed_enoughHaveTheSameToken_isThatOne() {
        assertThat(of(2, granted(7), granted(7), granted(7)).agreed()).hasValue(7);
        assertThat(of(2, granted(7), granted(9), granted(7)).agreed())
                .as("a greater one elsewhere changes nothing")
                .hasValue(7);
        assertThat(of(2, granted(7), "down", granted(7)).agreed()).hasValue(7);
        assertThat(of(3, granted(7), granted(9), granted(9), granted(7), granted(9))
                        .agreed())
                .hasValue(9);
    }

    @Test
    void agreed_noTokenOnEnough_isNone() {
        assertThat(of(2, granted(7), granted(8), granted(9)).agreed()).isEmpty();
        assertThat(of(2, granted(7), new Busy(LONG), "down").agreed()).isEmpty();
        assertThat(of(3, granted(7), granted(7), granted(8)).agreed()).isEmpty();
    }

    @Test
    void below_greatest_areThoseToRaise() {
        Ballot ballot = of(2, granted(7), granted(9), new Busy(LONG));
        assertThat(ballot.greatest()).isEqualTo(9);
        assertThat(ballot.below(9)).containsExactly(0);
    }

    /**
     * The lease ends when too few of the members that count still keep it; a member with another token does not count.
     */
    @Test
    void left_isWhatEnoughOfThoseWithTheTokenGive() {
        Ballot ballot = of(2, new Granted(7, SHORT), new Granted(7, LONG), new Granted(9, LONG));
        assertThat(ballot.left(7)).isEqualTo(SHORT);
        assertThat(of(2, new Granted(7, SHORT), granted(7), granted(7)).left(7)).isEqualTo(LONG);
    }

    @Test
    void isOutage_fewerThanNeededAnswered() {
        assertThat(of(2, new Busy(LONG), "down", "down").isOutage()).isTrue();
        assertThat(of(2, granted(1), "down", "down").isOutage()).isTrue();
        assertThat(of(2, new Busy(LONG), new Busy(LONG), "down").isOutage()).isFalse();
        assertThat(of(3, granted(1), granted(1), "down").isOutage())
                .as("a semaphore that needs all")
                .isTrue();
    }

    @Test
    void isOpen_votesOnTheirWayBackCouldBeEnough() {
        assertThat(of(2, granted(1), new Busy(LONG), "down").isOpen()).isTrue();
        assertThat(of(2, granted(1), new Refused("shut", LONG), "down").isOpen())
                .isFalse();
    }

    @Test
    void refusal_tooManyShut_saysWhenEnoughWillBeOpen() {
        Refused soon = new Refused("restarted", SHORT);
        Refused late = new Refused("restarted", LONG);
        assertThat(of(2, soon, late, granted(1)).refusal(PAUSE))
                .isEqualTo(new Refused("2 of 3 nodes grant nothing: restarted", SHORT));
        assertThat(of(2, soon, late, "down").refusal(PAUSE))
                .isEqualTo(new Refused("2 of 3 nodes grant nothing and 1 cannot be reached: restarted", LONG));
        assertThat(of(3, soon, late, late, late, late).refusal(PAUSE))
                .isEqualTo(new Refused("5 of 5 nodes grant nothing: restarted", LONG));
    }

    @Test
    void refusal_somebodyHasIt_isAPlaceOrBusy() {
        Queued place = new Queued(2, LONG, true);
        assertThat(of(2, place, new Busy(LONG), new Refused("shut", LONG)).refusal(PAUSE))
                .isEqualTo(place);
        assertThat(of(2, new Busy(LONG), granted(1), new Busy(SHORT)).refusal(PAUSE))
                .isEqualTo(new Busy(PAUSE));
    }

    @Test
    void refusal_anotherCapacity_onlyIfItStandsInTheWay() {
        Mismatched five = new Mismatched(5);
        assertThat(of(2, five, five, granted(1)).refusal(PAUSE)).isEqualTo(five);
        assertThat(of(2, five, new Busy(LONG), new Busy(LONG)).refusal(PAUSE)).isInstanceOf(Busy.class);
    }
}
