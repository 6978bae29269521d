package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Candidacy;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Messages from the store are a fast path: losing them, or everything else, costs time and never a lock.
 *
 * @since 0.1
 */
public abstract class MessageContract extends Contract {

    /** For subclasses. */
    protected MessageContract() {}

    private static boolean isMessage(Call call) {
        return call instanceof Call.Granted || call instanceof Call.Changed || call instanceof Call.Missed;
    }

    /**
     * A waiter of a client whose messages meet a fault gets the lock all the same, and nothing is left of it
     * afterwards.
     */
    private void assertServed(LockOptions options, Fault fault) {
        String name = name("messages");
        Lease held = client().lock(name).acquire();
        FaultyClient faulty = faultyClient(options);
        faulty.script().always(MessageContract::isMessage, fault);
        CompletableFuture<Lease> waiting = faulty.client().lock(name).acquireAsync();
        awaitContended(faulty.client(), name, 1);

        held.close();

        Lease lease =
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join();
        assertThat(lease.token()).isGreaterThan(held.token());
        assertThat(look(LockKind.LOCK, name).holders()).hasSize(1);
        always(
                "it is held once",
                millis(200),
                () -> lease.isValid() && look(LockKind.LOCK, name).holders().size() == 1);
        lease.close();
        assertFree(name);
    }

    @Test
    void waiter_messagesAreLost_getsItByAsking() {
        assertServed(defaults(), new Fault.Down());
        assertServed(defaults().fairness(Fairness.FIFO), new Fault.Down());
    }

    @Test
    void waiter_messagesAreLate_getsItOnce() {
        assertServed(defaults(), new Fault.Late(millis(1_500)));
        assertServed(defaults(), new Fault.Late(millis(100)));
    }

    @Test
    void waiter_messagesComeTwice_getsItOnce() {
        assertServed(defaults(), new Fault.Duplicate(millis(50)));
        assertServed(defaults().fairness(Fairness.FIFO), new Fault.Duplicate(millis(50)));
    }

    @Test
    void waiter_requestFailsWhileItWaits_staysInTheLine() {
        for (Fault fault : List.of(new Fault.Down(), new Fault.LostReply(), new Fault.Late(millis(30)))) {
            String name = name("staying");
            Lease held = client().lock(name).acquire();
            FaultyClient faulty = faultyClient(defaults());
            CompletableFuture<Lease> waiting = faulty.client().lock(name).acquireAsync();
            awaitContended(faulty.client(), name, 1);
            faulty.script().always(MessageContract::isMessage, new Fault.Down());
            faulty.script().once(Call.Attempt.class, fault);
            soon("a failed request").until(() -> !faulty.script().isPending());
            assertThat(waiting.isDone()).as("the wait after %s", fault).isFalse();

            held.close();

            waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join().close();
            assertFree(name);
        }
    }

    @Test
    void waiter_storeIsDownForLong_hearsOfItAndLeaksNothing() {
        String name = name("cut off");
        Lease held = client().lock(name).acquire();
        FaultyClient faulty = faultyClient(defaults());
        Crew.Hand<Lease> waiter = crew().ask("waiter", faulty.client().lock(name)::acquire);
        awaitContended(faulty.client(), name, 1);
        faulty.script().cut();

        assertThat(waiter.failure())
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.lockName()).isEqualTo(name));

        faulty.script().clear();
        held.close();
        assertFree(name);
        awaitWaiting(LockKind.LOCK, name, 0);
    }

    @Test
    void tryAcquire_storeGoesDownDuringTheWait_isNotEmpty() {
        String name = name("bounded");
        Lease held = client().lock(name).acquire();
        FaultyClient faulty = faultyClient(defaults());
        Crew.Hand<Optional<Lease>> waiter =
                crew().ask("waiter", () -> faulty.client().lock(name).tryAcquire(millis(10_000)));
        awaitContended(faulty.client(), name, 1);
        faulty.script().cut();

        assertThat(waiter.failure()).isInstanceOf(LockStoreException.class);

        faulty.script().clear();
        held.close();
        assertFree(name);
    }

    @Test
    void latch_messagesAreLost_opensByAsking() {
        String name = name("latch");
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().always(MessageContract::isMessage, new Fault.Down());
        CompletableFuture<Void> waiting = faulty.client().latch(name, 1).awaitAsync();
        always("it is closed", millis(50), () -> !waiting.isDone());
        client().latch(name, 1).countDown();
        assertThat(waiting).succeedsWithin(patience().toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void latch_arrivalIsRepeated_countsOnce() {
        String name = name("latch");
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().once(Call.Attempt.class, new Fault.Duplicate(millis(30)));
        faulty.client().latch(name, 3).countDown();
        always("one arrived", millis(100), () -> stranger().latch(name, 3).count() == 2);
        assertThat(faulty.script().isPending()).isFalse();
    }

    @Test
    void election_storeIsDownForAWhile_candidateGoesOn() {
        String name = name("election");
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().cut();
        AtomicInteger terms = new AtomicInteger();
        Candidacy candidacy = faulty.client().election(name).stand(term -> terms.incrementAndGet());
        soon("failed requests").until(() -> faulty.backend().injected() >= 4);
        assertThat(terms).hasValue(0);

        faulty.script().clear();

        soon("a term").until(() -> terms.get() > 0);
        candidacy.close();
    }

    @Test
    void contention_everythingGoesWrongNowAndThen_nobodyMeetsAnybody() {
        String name = name("chaos");
        Section section = new Section(1);
        List<Long> tokens = new ArrayList<>();
        List<FaultyClient> clients = new ArrayList<>();
        AtomicInteger outages = new AtomicInteger();
        for (int c = 0; c < 3; c++) {
            FaultyClient faulty = chaotic(c);
            clients.add(faulty);
            for (int t = 0; t < 3; t++) {
                crew().run("contender " + c + '.' + t, () -> {
                    int held = 0;
                    while (held < 10) {
                        try (Lease lease = faulty.client().lock(name).acquire()) {
                            section.pass(() -> tokens.add(lease.token()));
                            assertThat(lease.isValid()).isTrue();
                            held++;
                        } catch (LockStoreException outage) {
                            outages.incrementAndGet();
                        }
                    }
                });
            }
        }
        crew().finish();
        clients.forEach(faulty -> faulty.script().clear());

        assertThat(section.passes()).isEqualTo(3 * 3 * 10);
        section.verify();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(clients)
                .allSatisfy(faulty -> assertThat(faulty.backend().injected()).isPositive());
        assertFree(name);
    }

    /** A client whose calls fail at random, from a fixed seed. */
    private FaultyClient chaotic(int seed) {
        Random random = new Random(seed);
        FaultyClient faulty = faultyClient(defaults().fairness(Fairness.FIFO)); // every turn asks the store
        List<Fault> requests = List.of(new Fault.LostReply(), new Fault.Down(), new Fault.Late(millis(5)));
        List<Fault> messages = List.of(new Fault.Down(), new Fault.Late(millis(5)), new Fault.Duplicate(millis(2)));
        for (int i = 0; i < 3; i++) {
            faulty.script().always(call -> !isMessage(call) && roll(random, 40), requests.get(i));
            faulty.script().always(call -> isMessage(call) && roll(random, 8), messages.get(i));
        }
        faulty.script()
                .always(call -> call instanceof Call.Release && roll(random, 10), new Fault.Duplicate(millis(2)));
        return faulty;
    }

    private static boolean roll(Random random, int sides) {
        return random.nextInt(sides) == 0;
    }

    @Test
    void acquire_afterAnOutage_tellsAcquiredAndReleasedOnce() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("counted");
        faulty.script().once(Call.Attempt.class, new Fault.LostReply()).once(Call.Release.class, new Fault.LostReply());
        LockClient client = faulty.client();
        client.lock(name).acquire().close();
        assertThat(events(client).await(LockEvent.Released.class, name, 1)).hasSize(1);
        assertFree(name);
        assertThat(events(client).all(LockEvent.Acquired.class, name)).hasSize(1);
        assertThat(events(client).all(LockEvent.Released.class, name)).hasSize(1);
    }
}
