package io.holdfast.zookeeper.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a session is certain to last. */
class BeatsTest {
    private static final Duration SESSION = Duration.ofMinutes(2);
    private static final Duration TICK = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofDays(1);

    private static long at(double seconds) {
        return (long) (seconds * 1_000_000_000L);
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(at(seconds));
    }

    @Test
    void left_beforeTheFirstBeat_countsFromBeforeTheSession() {
        Beats beats = new Beats(SESSION, TICK, at(0), at(3));
        assertThat(beats.left(LONG, at(5))).isEqualTo(seconds(118.8 - 5));
        assertThat(beats.left(Duration.ofSeconds(1), at(5))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void left_afterABeat_countsFromTheOneBeforeTheLast() {
        Beats beats = new Beats(SESSION, TICK, at(0), at(1));
        beats.answered(at(11), at(12));
        beats.answered(at(22), at(23));
        assertThat(beats.left(LONG, at(23))).as("two beats").isEqualTo(seconds(118.8 - 23));
        beats.answered(at(33), at(34));
        assertThat(beats.left(LONG, at(34))).as("three beats").isEqualTo(seconds(11 + 118.8 - 34));
    }

    @Test
    void left_beatsStayAway_endsInTime() {
        Beats beats = new Beats(SESSION, TICK, at(0), at(1));
        assertThat(beats.left(LONG, at(118))).isPositive();
        assertThat(beats.left(LONG, at(119))).isNegative();
    }

    @Test
    void isDue_aGapAfterTheAnswer() {
        Beats beats = new Beats(SESSION, TICK, at(0), at(1));
        assertThat(beats.isDue(at(10.9))).isFalse();
        assertThat(beats.isDue(at(11))).isTrue();
        beats.answered(at(11), at(15));
        assertThat(beats.isDue(at(24.9)))
                .as("after the answer, not after the request")
                .isFalse();
        assertThat(beats.isDue(at(25))).isTrue();
    }

    @Test
    void carried_isTwoThirdsAndLessInShortSessions() {
        assertThat(Carried.by(SESSION, TICK)).isEqualTo(Duration.ofSeconds(80));
        assertThat(Carried.by(Duration.ofSeconds(24), TICK)).isEqualTo(Duration.ofSeconds(16));
        assertThat(Carried.by(Duration.ofSeconds(12), TICK)).isEqualTo(Duration.ofSeconds(5));
        assertThat(Carried.gap(Duration.ofSeconds(12), TICK))
                .as("not closer than a tick")
                .isEqualTo(TICK);
    }

    /** Three gaps and slow answers still leave the longest lease. */
    @Test
    void carried_justBeforeABeatIsAnswered_isCovered() {
        for (int length : new int[] {12, 24, 40, 120}) {
            Duration session = Duration.ofSeconds(length);
            double gap = Carried.gap(session, TICK).toMillis() / 1_000.0;
            double slow = length / 100.0;
            Beats beats = new Beats(session, TICK, at(0), at(0));
            double now = 0;
            for (int beat = 0; beat < 5; beat++) {
                double sent = now + gap;
                double answered = sent + slow;
                Duration lease = Carried.by(session, TICK);
                assertThat(beats.left(lease, at(answered)))
                        .as("session %s", session)
                        .isEqualTo(lease);
                beats.answered(at(sent), at(answered));
                now = answered;
            }
        }
    }
}
