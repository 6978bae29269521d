package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Candidacy;
import io.holdfast.LeaderElection;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * One leader at a time, and always a next one.
 *
 * @since 0.1
 */
public abstract class ElectionContract extends Contract {

    /** For subclasses. */
    protected ElectionContract() {}

    /** Work that goes on until it is interrupted, and what happened to it. */
    private static final class Reign {
        private final Queue<Lease> terms = new ConcurrentLinkedQueue<>();
        private final AtomicInteger interrupts = new AtomicInteger();

        void work(Lease term) {
            terms.add(term);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupts.incrementAndGet();
            }
        }

        boolean began() {
            return !terms.isEmpty();
        }
    }

    @Test
    void stand_severalCandidates_leadOneAtATimeWithGrowingTokens() {
        String name = name("billing");
        Section leading = new Section(1);
        List<Long> tokens = new ArrayList<>();
        Set<Integer> leaders = ConcurrentHashMap.newKeySet();
        AtomicBoolean wasValid = new AtomicBoolean(true);
        AtomicInteger terms = new AtomicInteger();
        List<Candidacy> candidates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            candidates.add(client().election(name).stand(term -> {
                leading.pass(() -> tokens.add(term.token()));
                leaders.add(number);
                wasValid.compareAndSet(true, term.isValid() && term.name().equals(name));
                terms.incrementAndGet();
            }));
        }

        soon("terms of everybody").until(() -> terms.get() >= 12 && leaders.size() == 3);

        candidates.forEach(Candidacy::close);
        soon("the last term ends")
                .until(() ->
                        leading.passes() == terms.get() && candidates.stream().noneMatch(Candidacy::isLeader));
        leading.verify();
        assertThat(wasValid).isTrue();
        assertThat(List.copyOf(tokens)).isSorted().doesNotHaveDuplicates();
    }

    @TestWith(Ability.LINE)
    void stand_workReturns_theNextCandidateLeads() {
        LeaderElection election = client().election(name("terms"));
        CountDownLatch enough = new CountDownLatch(1);
        Reign other = new Reign();
        Candidacy first = election.stand(term -> awaitQuietly(enough));
        soon("the first leads").until(first::isLeader);
        Candidacy second = client().election(election.name()).stand(other::work);
        awaitWaiting(LockKind.ELECTION, election.name(), 1);
        assertThat(second.isLeader()).isFalse();

        enough.countDown();

        soon("the second leads").until(() -> other.began() && second.isLeader());
        assertThat(first.isLeader()).isFalse();
        second.close();
        first.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void candidacyClose_leading_interruptsTheWorkAndPassesOn() {
        String name = name("withdraws");
        Reign first = new Reign();
        Reign second = new Reign();
        Candidacy leader = client().election(name).stand(first::work);
        soon("the first leads").until(() -> first.began() && leader.isLeader());
        Candidacy heir = client().election(name).stand(second::work);

        leader.close();
        leader.close();

        soon("the second leads").until(() -> second.began() && heir.isLeader());
        assertThat(first.interrupts).hasValue(1);
        assertThat(first.terms).hasSize(1);
        assertThat(leader.isLeader()).isFalse();
        assertThat(second.terms.element().token())
                .isGreaterThan(first.terms.element().token());
        heir.close();
    }

    @Test
    void candidacyClose_waiting_leavesTheLine() {
        String name = name("waits");
        Reign first = new Reign();
        Reign second = new Reign();
        Candidacy leader = client().election(name).stand(first::work);
        soon("the first leads").until(first::began);
        LockClient client = client();
        Candidacy waiting = client.election(name).stand(second::work);
        awaitContended(client, name, 1);

        waiting.close();
        awaitWaiting(LockKind.ELECTION, name, 0);
        leader.close();

        Reign third = new Reign();
        Candidacy last = client().election(name).stand(third::work);
        soon("a third leads").until(third::began);
        assertThat(second.terms).isEmpty();
        last.close();
    }

    @Test
    void clientClose_leading_interruptsTheWorkAndPassesOn() {
        String name = name("leaves");
        Reign first = new Reign();
        Reign second = new Reign();
        LockClient leaving = client();
        Candidacy leader = leaving.election(name).stand(first::work);
        soon("the first leads").until(first::began);
        Candidacy heir = client().election(name).stand(second::work);

        leaving.close();

        soon("the second leads").until(second::began);
        soon("the first is interrupted").until(() -> first.interrupts.get() == 1);
        assertThat(leader.isLeader()).isFalse();
        heir.close();
    }

    @Test
    void term_isLost_interruptsTheWorkAndTheCandidateStandsAgain() {
        String name = name("deposed");
        Reign reign = new Reign();
        Candidacy candidate =
                client().election(name, lease(400).maxHold(millis(500))).stand(reign::work);

        soon("a second term").until(() -> reign.terms.size() >= 2);

        assertThat(reign.interrupts.get()).isPositive();
        Lease lost = reign.terms.element();
        assertThat(lost.isValid()).isFalse();
        assertThat(reign.terms.stream().skip(1).findFirst().orElseThrow().token())
                .isGreaterThan(lost.token());
        candidate.close();
    }

    @Test
    void work_throws_endsTheTermOnly() {
        String name = name("throws");
        AtomicInteger terms = new AtomicInteger();
        Candidacy candidate = client().election(name).stand(term -> {
            terms.incrementAndGet();
            throw new IllegalStateException("thrown by a test");
        });
        soon("another term").until(() -> terms.get() >= 2);
        candidate.close();
    }

    @Test
    void leader_someoneOrNobodyLeads_isItsLabel() {
        String name = name("who");
        LeaderElection election = client().election(name, defaults().label("node seven"));
        assertThat(election.name()).isEqualTo(name);
        assertThat(election.leader()).isEmpty();
        Candidacy candidate = election.stand(new Reign()::work);
        soon("it leads").until(candidate::isLeader);

        assertThat(election.leader()).contains("node seven");
        assertThat(stranger().election(name).leader()).contains("node seven");

        candidate.close();
        soon("nobody leads").until(() -> stranger().election(name).leader().isEmpty());
    }
}
