package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LostReason;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@link LeaseLincheckTest} shows, on real threads. */
@Tag("integration")
class LeaseStressTest {
    private static final int ROUNDS = 30_000;

    @Test
    void closeAndLose_sameMoment_oneOfThemWins() throws Exception {
        Duel.of(ROUNDS, () -> new Duel.Round() {
            private final LeaseLincheckTest.Ends ends = new LeaseLincheckTest.Ends();

            @Override
            public List<Runnable> parts() {
                return List.of(ends::close, ends::forgotten);
            }

            @Override
            public void check() {
                ends.check();
            }
        });
    }

    @Test
    void loseAndRegister_sameMoment_toldOnce() throws Exception {
        Duel.of(ROUNDS, () -> new Duel.Round() {
            private final LeaseLincheckTest.Ends ends = new LeaseLincheckTest.Ends();

            @Override
            public List<Runnable> parts() {
                return List.of(ends::onLost, ends::forgotten);
            }

            @Override
            public void check() {
                ends.check();
                assertThat(ends.told()).containsExactly(LostReason.FORGOTTEN);
            }
        });
    }

    @Test
    void loseForTwoReasons_sameMoment_oneReasonForEverybody() throws Exception {
        Duel.of(ROUNDS, () -> new Duel.Round() {
            private final LeaseLincheckTest.Ends ends = new LeaseLincheckTest.Ends();

            {
                ends.onLost();
            }

            @Override
            public List<Runnable> parts() {
                return List.of(ends::expired, ends::forgotten);
            }

            @Override
            public void check() {
                ends.onLost();
                ends.check();
            }
        });
    }
}
