package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Deadlock;
import io.holdfast.LockKind;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an operator sees of a deadlock of two other clients, "x" and "y", that the store shows. */
class DeadlockSurveyTest extends EngineFixture {
    private static final Resource A = new Resource(LockKind.LOCK, "a", 1);
    private static final Resource B = new Resource(LockKind.LOCK, "b", 1);

    private long version = 1;
    private boolean xCounts = true;
    private boolean yCounts = true;
    private int reads;

    /** The read at which whoever asks is interrupted. */
    private int mostReads = 1_000;

    DeadlockSurveyTest() {
        backend.clients("x", "idle", "y");
        backend.inspections(resource -> Optional.of(view(resource)));
        backend.waits(this::record);
    }

    private static ResourceView view(Resource resource) {
        boolean a = resource.name().equals("a");
        ClaimId holder = new ClaimId(a ? "x" : "y", 1);
        ClaimId waiter = new ClaimId(a ? "y" : "x", 2);
        return new ResourceView(
                a ? A : B,
                List.of(new ResourceView.Holder(holder, 1, 1, seconds(9), "")),
                List.of(new ResourceView.Waiting(waiter, 1, "")));
    }

    private Optional<String> record(String client) {
        if (++reads == mostReads) {
            Thread.currentThread().interrupt();
        }
        version++;
        boolean x = client.equals("x");
        if (!x && !client.equals("y")) {
            return Optional.empty();
        }
        WaitRecord.Hold hold = new WaitRecord.Hold(true, x ? A : B, new ClaimId(client, 1), 7, 1, 0);
        long shown = (x ? xCounts : yCounts) ? version : 1;
        return Optional.of(WaitText.of(new WaitRecord(
                client,
                shown,
                1,
                List.of(new WaitRecord.Suspect(
                        3,
                        "thread-1",
                        "worker-" + client,
                        false,
                        x ? B : A,
                        1,
                        1,
                        new ClaimId(client, 2),
                        WaitRecord.Place.LINE,
                        0,
                        0,
                        List.of(hold))))));
    }

    @Test
    void deadlocks_whenEachClientCountsOn_areSeen() {
        List<Deadlock> found = engine.inspector().deadlocks();

        assertThat(found)
                .singleElement()
                .satisfies(each -> assertThat(each.members())
                        .extracting(Deadlock.Member::owner)
                        .containsExactlyInAnyOrder("worker-x", "worker-y"));
    }

    @Test
    void deadlocks_aClientDoesNotCountOn_areNotSeen() {
        yCounts = false;
        mostReads = 30;

        assertThat(engine.inspector().deadlocks()).isEmpty();
        assertThat(Thread.interrupted()).as("the interrupt is left").isTrue();
    }

    @Test
    void deadlocks_nobodyWaits_answersAtOnce() {
        backend.waits(client -> Optional.empty());

        assertThat(engine.inspector().deadlocks()).isEmpty();
        assertThat(backend.looks()).as("one question for each client").isEqualTo(3);
    }
}
