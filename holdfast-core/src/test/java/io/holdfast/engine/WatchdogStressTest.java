package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What {@link WatchdogLincheckTest} shows, on real threads, with the watchdog's sets as they are. */
class WatchdogStressTest {
    private static final int ROUNDS = 30_000;

    /** A registry with one young hold whose renewal is due. */
    private abstract static class Registry implements Duel.Round {
        final InlineRuntime runtime = new InlineRuntime();
        final EngineContext context = new EngineContext("client", new GrantingBackend(), runtime);
        final Watchdog watchdog = context.watchdog();
        final StoreGrant hold = WatchdogLincheckTest.hold(context);

        Registry() {
            watchdog.watch(hold);
            runtime.at(12_000_000_000L);
        }

        int found() {
            AtomicInteger found = new AtomicInteger();
            watchdog.forEach(each -> found.incrementAndGet());
            assertThat(watchdog.size()).isEqualTo(found.get());
            return found.get();
        }
    }

    @Test
    void watchAgain_whileTheTimerFires_holdIsNotLost() throws Exception {
        Duel.of(ROUNDS, () -> new Registry() {
            @Override
            public List<Runnable> parts() {
                return List.of(runtime::fire, () -> watchdog.watch(hold));
            }

            @Override
            public void check() {
                assertThat(found()).isOne();
            }
        });
    }

    @Test
    void forget_whileTheTimerFires_holdIsGone() throws Exception {
        Duel.of(ROUNDS, () -> new Registry() {
            @Override
            public List<Runnable> parts() {
                return List.of(runtime::fire, () -> watchdog.forget(hold));
            }

            @Override
            public void check() {
                assertThat(found()).isZero();
            }
        });
    }

    @Test
    void forget_whileItIsWatchedForTheFirstTime_holdIsGone() throws Exception {
        Duel.of(ROUNDS, () -> new Registry() {
            private final StoreGrant fresh = WatchdogLincheckTest.hold(context);

            @Override
            public List<Runnable> parts() {
                return List.of(() -> watchdog.watch(fresh), () -> watchdog.forget(fresh));
            }

            @Override
            public void check() {
                watchdog.forget(hold);
                assertThat(found()).isZero();
            }
        });
    }
}
