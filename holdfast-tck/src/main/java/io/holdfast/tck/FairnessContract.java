package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Who is next, and that everybody is at some time.
 *
 * @since 0.1
 */
public abstract class FairnessContract extends Contract {

    /** For subclasses. */
    protected FairnessContract() {}

    @TestWith(Ability.LINE)
    void fifo_waitersOfSeveralClients_areServedInTheOrderOfTheirArrival() {
        String name = name("line");
        List<LockClient> clients = List.of(fifoClient(), fifoClient(), fifoClient());
        Lease first = client().lock(name).acquire();
        List<Integer> served = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int number = i;
            LockClient client = clients.get(i / 2 % 3);
            crew().run("waiter " + i, () -> {
                try (Lease lease = client.lock(name).acquire()) {
                    assertThat(lease.isValid()).isTrue();
                    served.add(number);
                }
            });
            awaitWaiting(LockKind.LOCK, name, i + 1);
        }

        first.close();

        crew().finish();
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @TestWith(Ability.LINE)
    void fifo_waitersWithoutThreads_areServedInTheOrderOfTheirArrival() {
        String name = name("line");
        List<LockClient> clients = List.of(fifoClient(), fifoClient());
        Lease first = client().lock(name).acquire();
        List<Integer> served = new ArrayList<>();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int number = i;
            waiting.add(clients.get(i % 2).lock(name).acquireAsync().thenAccept(lease -> {
                served.add(number);
                lease.close();
            }));
            awaitWaiting(LockKind.LOCK, name, i + 1);
        }

        first.close();

        CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
                .orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                .join();
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @TestWith(Ability.LINE)
    void fifo_longWait_keepsThePlace() {
        String name = name("patient");
        Lease first = client().lock(name).acquire();
        List<Integer> served = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            LockClient client = fifoClient();
            crew().run("waiter " + i, () -> {
                try (Lease lease = client.lock(name).acquire()) {
                    assertThat(lease.isValid()).isTrue();
                    served.add(number);
                }
            });
            awaitWaiting(LockKind.LOCK, name, i + 1);
        }

        always(
                "all three stand in the line",
                millis(4_500),
                () -> look(LockKind.LOCK, name).waiting().size() == 3);
        first.close();

        crew().finish();
        assertThat(served).containsExactly(0, 1, 2);
    }

    @TestWith(Ability.LINE)
    void fifo_newcomer_doesNotOvertake() {
        String name = name("newcomer");
        Lease first = client().lock(name).acquire();
        CountDownLatch enough = new CountDownLatch(1);
        LockClient client = fifoClient();
        Crew.Hand<Boolean> waiter = crew().run("waiter", () -> {
            try (Lease lease = client.lock(name).acquire()) {
                assertThat(lease.isValid()).isTrue();
                enough.await();
            }
        });
        awaitWaiting(LockKind.LOCK, name, 1);

        first.close();

        assertHeld(name);
        enough.countDown();
        assertThat(waiter.result()).isTrue();
        assertFree(name);
    }

    @TestWith(Ability.LINE)
    void fifo_waiterGivesUp_doesNotHoldUpThoseBehindIt() throws InterruptedException {
        String name = name("gave up");
        Lease first = client().lock(name).acquire();
        LockClient impatient = fifoClient();
        Crew.Hand<Boolean> gaveUp = crew().ask(
                        "impatient",
                        () -> impatient.lock(name).tryAcquire(millis(300)).isEmpty());
        awaitContended(impatient, name, 1); // an event stays, a place in the line is soon given up
        LockClient client = fifoClient();
        Crew.Hand<Long> patient = crew().ask("patient", () -> {
            try (Lease lease = client.lock(name).acquire()) {
                return lease.token();
            }
        });
        assertThat(gaveUp.result()).isTrue();
        awaitWaiting(LockKind.LOCK, name, 1);

        first.close();

        assertThat(patient.result()).isGreaterThan(first.token());
    }

    @TestWith(Ability.LINE)
    void throughput_oneWaiterPerClient_clientsTakeTurnsInOrder() {
        String name = name("clients");
        Lease first = client().lock(name).acquire();
        List<Integer> served = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            LockClient client = client();
            crew().run("client " + i, () -> {
                try (Lease lease = client.lock(name).acquire()) {
                    assertThat(lease.isValid()).isTrue();
                    served.add(number);
                }
            });
            awaitWaiting(LockKind.LOCK, name, i + 1);
        }

        first.close();

        crew().finish();
        assertThat(served).containsExactly(0, 1, 2, 3);
    }

    @TestWith(Ability.LINE)
    void throughput_busyClient_doesNotStarveOthers() {
        String name = name("busy");
        LockClient busy = client();
        CountDownLatch enough = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            crew().run("busy " + i, () -> {
                while (enough.getCount() > 0) {
                    busy.lock(name).acquire().close();
                }
            });
        }
        awaitContended(busy, name, 1);
        LockClient quiet = client();
        for (int round = 0; round < 10; round++) {
            try (Lease lease = quiet.lock(name).acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
        }
        enough.countDown();
        crew().finish();
    }

    @Test
    void throughput_manyThreads_allGetIt() {
        String name = name("crowd");
        for (int c = 0; c < 3; c++) {
            LockClient client = client();
            for (int t = 0; t < 40; t++) {
                crew().run("thread " + c + '.' + t, () -> {
                    for (int round = 0; round < 3; round++) {
                        client.lock(name).acquire().close();
                    }
                });
            }
        }
        crew().finish();
        assertFree(name);
    }

    private LockClient fifoClient() {
        return client(defaults().fairness(Fairness.FIFO));
    }
}
