package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HarmsTest {
    private static final long LEASE_NANOS = Subject.LONGEST_LEASE.plusSeconds(1).toNanos();

    private final Harms harms = new Harms(3, 1, 2);

    private static Period since(long startNanos) {
        return new Period(startNanos, System.nanoTime() + 10 * LEASE_NANOS);
    }

    @Test
    void take_nodesThatForget_neverMoreThanMayBe() {
        for (int seed = 0; seed < 50; seed++) {
            Harms fresh = new Harms(5, 2, 1);
            Set<Integer> forgetful = new HashSet<>();
            for (int i = 0; i < 4; i++) {
                Harms.Harm harm = fresh.take(2, true, Rng.of(seed, i));
                forgetful.addAll(harm.nodes());
                fresh.giveBack(harm);
            }
            assertThat(forgetful).hasSizeBetween(1, 2);
        }
    }

    @Test
    void take_nodeThatOpenedAgain_anotherMayForget() {
        Harms.Harm first = harms.take(1, true, Rng.of(1));
        assertThat(harms.take(1, true, Rng.of(1)).nodes()).isEmpty();
        harms.giveBack(first);
        harms.end(first);
        assertThat(harms.take(1, true, Rng.of(1)).nodes()).hasSize(1);
    }

    @Test
    void whenAtMost_oneNodeOut_isNoOutage() {
        long startNanos = System.nanoTime();
        harms.begin(List.of(0), harms.allWorkers());
        assertThat(harms.whenAtMost(1, harms.allWorkers(), since(startNanos))).hasSize(1);
    }

    @Test
    void whenAtMost_twoNodesOutForOneWorker_isAnOutageForALeaseMore() {
        long startNanos = System.nanoTime();
        Harms.Harm one = harms.begin(List.of(0), List.of(0));
        Harms.Harm other = harms.begin(List.of(1), List.of(0));
        harms.end(one);
        long endNanos = System.nanoTime();
        harms.end(other);
        List<Period> well = harms.whenAtMost(1, harms.allWorkers(), since(startNanos));
        assertThat(well).hasSize(2);
        assertThat(well.get(1).startNanos()).isBetween(startNanos + LEASE_NANOS, endNanos + LEASE_NANOS);
        assertThat(harms.whenAtMost(1, List.of(1), since(startNanos))).hasSize(1);
    }

    @Test
    void whenAtMost_differentNodesOutForDifferentWorkers_isNoOutage() {
        long startNanos = System.nanoTime();
        harms.begin(List.of(0), List.of(0));
        harms.begin(List.of(2), List.of(1));
        assertThat(harms.whenAtMost(1, harms.allWorkers(), since(startNanos))).hasSize(1);
        assertThat(harms.whenAtMost(0, harms.allWorkers(), since(startNanos))).hasSize(1);
    }
}
