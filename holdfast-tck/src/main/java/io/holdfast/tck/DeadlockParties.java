package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.DistributedLock;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads that take something and then wait for something else, until they are sent home. */
abstract class DeadlockParties extends Contract {

    final List<Crew.Hand<Boolean>> parties = new ArrayList<>();

    /** Something that takes, waits or gives back. */
    interface Step {
        void run() throws InterruptedException;
    }

    /** A thread that takes something, and when all have, waits for something else until it is sent home. */
    final Crew.Hand<Boolean> party(String name, CountDownLatch ready, Step take, Step wait, Step giveBack) {
        Crew.Hand<Boolean> hand = crew().ask(name, () -> {
            take.run();
            try {
                ready.countDown();
                assertThat(ready.await(patience().toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
                wait.run();
                return true;
            } catch (InterruptedException sentHome) {
                return false;
            } finally {
                giveBack.run();
            }
        });
        parties.add(hand);
        return hand;
    }

    /** A thread that locks one name and then waits for another. */
    final Crew.Hand<Boolean> locker(String name, CountDownLatch ready, DistributedLock first, DistributedLock second) {
        return party(
                name,
                ready,
                first::lock,
                () -> {
                    second.lockInterruptibly();
                    second.unlock();
                },
                first::unlock);
    }

    final void sendHome() {
        parties.forEach(Crew.Hand::interrupt);
        parties.forEach(Crew.Hand::result);
    }

    final LockClient looking() {
        return lookingClient(defaults());
    }

    final Deadlock told(LockClient client, String waitedFor) {
        return events(client).await(DeadlockDetected.class, waitedFor, 1).get(0).deadlock();
    }

    static List<String> owners(Deadlock deadlock) {
        return deadlock.members().stream().map(Deadlock.Member::owner).toList();
    }

    final void assertNothingTold(LockClient client, String... names) {
        always("no deadlock is told", millis(3_000), () -> {
            for (String name : names) {
                assertThat(events(client).all(DeadlockDetected.class, name)).isEmpty();
            }
            return true;
        });
    }

    final void awaitHeldBy(LockClient client, String name) {
        soon(name + " is held")
                .until(() -> look(LockKind.LOCK, name).holders().stream()
                        .anyMatch(holder -> holder.claim().client().equals(client.id())));
    }
}
