package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@link WatchdogLincheckTest} shows, on real threads, with the watchdog's sets as they are. */
@Tag("integration")
class WatchdogStressTest {
    private static final int ROUNDS = 30_000;

    /** A registry with one young grant whose renewal is due. */
    private abstract static class Registry implements Duel.Round {
        final InlineRuntime runtime = new InlineRuntime();
        final EngineParts parts = new EngineParts("client", new GrantingBackend(), runtime);
        final WatchList watched = parts.watched;
        final StoreGrant grant = WatchdogLincheckTest.grant(parts);

        Registry() {
            watched.watch(grant);
            runtime.at(12_000_000_000L);
        }

        int found() {
            AtomicInteger found = new AtomicInteger();
            watched.forEach(each -> found.incrementAndGet());
            assertThat(watched.size()).isEqualTo(found.get());
            return found.get();
        }
    }

    @Test
    void watchAgain_whileTheTimerFires_holdIsNotLost() throws Exception {
        Duel.of(ROUNDS, () -> new Registry() {
            @Override
            public List<Runnable> parts() {
                return List.of(runtime::fire, () -> watched.watch(grant));
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
                return List.of(runtime::fire, () -> watched.forget(grant));
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
            private final StoreGrant fresh = WatchdogLincheckTest.grant(parts);

            @Override
            public List<Runnable> parts() {
                return List.of(() -> watched.watch(fresh), () -> watched.forget(fresh));
            }

            @Override
            public void check() {
                watched.forget(grant);
                assertThat(found()).isZero();
            }
        });
    }
}
