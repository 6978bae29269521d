package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a client tells of its own line, and what the inspector of another client makes of it. */
class OtherViewTest extends EngineFixture {
    private static final Resource LOCK = new Resource(LockKind.LOCK, "a", 1);
    private static final ClaimId HOLDER = new ClaimId("there", 7);
    private static final ClaimId WAITER = new ClaimId("elsewhere", 3);

    private CompletableFuture<Lease> by(String label) {
        return waiting(engine.lock("a", LockOptions.defaults().label(label)));
    }

    private List<ClientLine> lines() {
        return backend.listener().lines();
    }

    @Test
    void lines_storeShowsItAll_none() {
        assertThat(lines()).isEmpty();

        by("first");
        waiting(engine.lock("b", FIFO));
        waiting(engine.lock("b", FIFO));

        assertThat(lines()).isEmpty();
    }

    @Test
    void lines_passedOnAndWaitedFor_whoHasItAndHowManyWait() {
        CompletableFuture<Lease> first = by("first");
        CompletableFuture<Lease> second = by("second");
        by("third");
        long claim = backend.claim(0).id().sequence();
        assertThat(lines()).containsExactly(new ClientLine("a", claim, "first", 2));

        lease(first).close();
        runtime.run();
        assertThat(lines()).containsExactly(new ClientLine("a", claim, "second", 1));

        lease(second).close();
        runtime.run();
        assertThat(lines())
                .as("nobody waits, but the store names another")
                .containsExactly(new ClientLine("a", claim, "third", 0));
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void lines_clientWaitsInTheStoresLine_thoseBehindItsPlace() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        by("first");
        assertThat(lines()).isEmpty();
        by("second");
        by("third");

        assertThat(lines()).containsExactly(new ClientLine("a", 0, "", 2));
    }

    private void there(ClientLine... lines) {
        backend.clients(
                id -> Optional.of(new ClientView("", 0, "", id.equals(HOLDER.client()) ? List.of(lines) : List.of())));
    }

    private LockStatus status(List<ResourceView.Waiting> waiting) {
        backend.inspections(resource -> Optional.of(new ResourceView(
                LOCK, List.of(new ResourceView.Holder(HOLDER, 1, 16, seconds(20), "asked")), waiting)));
        return engine.inspector().find(LockKind.LOCK, "a").orElseThrow();
    }

    private static List<String> waiters(LockStatus status) {
        return status.waiters().stream()
                .map(each -> each.client().id() + " " + each.claim() + " " + each.label() + " x" + each.threads())
                .toList();
    }

    @Test
    void find_otherClientPassedItOn_whoHasIt() {
        there(new ClientLine("a", 7, "now", 0), new ClientLine("b", 7, "other", 3));

        LockStatus status = status(List.of());

        assertThat(status.holders()).extracting(LockStatus.Holder::label).containsExactly("now");
        assertThat(status.waiters()).isEmpty();
    }

    @Test
    void find_threadsBehindAnotherClientsHold_oneEntryAfterTheStoresLine() {
        there(new ClientLine("a", 7, "now", 19));

        LockStatus status = status(List.of(new ResourceView.Waiting(WAITER, 1, "next")));

        assertThat(status.holders()).extracting(LockStatus.Holder::label).containsExactly("now, one of 20 threads");
        assertThat(waiters(status)).containsExactly("elsewhere 3 next x1", "there 0 and 19 more in this process x19");
        assertThat(status.waiting()).isEqualTo(20);
    }

    @Test
    void find_whatWasToldIsOfAnEarlierClaim_countsButNamesNobody() {
        there(new ClientLine("a", 6, "before", 19));

        assertThat(status(List.of()).holders())
                .extracting(LockStatus.Holder::label)
                .containsExactly("asked, one of 20 threads");
    }

    @Test
    void find_threadsBehindAnotherClientsPlace_shownThere() {
        there(new ClientLine("a", 0, "", 2));
        List<ResourceView.Waiting> line = List.of(
                new ResourceView.Waiting(new ClaimId("there", 8), 1, "mine"),
                new ResourceView.Waiting(WAITER, 1, "last"));

        assertThat(waiters(status(line)))
                .containsExactly("there 8 mine x1", "there 0 and 2 more in this process x2", "elsewhere 3 last x1");
    }

    /** What the store has of this client is older than what it knows itself. */
    @Test
    void find_ownClient_notFromTheStore() {
        backend.clients(id -> Optional.of(new ClientView("", 0, "", List.of(new ClientLine("a", 1, "old", 5)))));
        by("first");
        ClaimId own = backend.claim(0).id();
        backend.inspections(resource -> Optional.of(
                new ResourceView(LOCK, List.of(new ResourceView.Holder(own, 1, 16, seconds(20), "first")), List.of())));

        LockStatus status = engine.inspector().find(LockKind.LOCK, "a").orElseThrow();

        assertThat(status.holders()).extracting(LockStatus.Holder::label).containsExactly("first");
        assertThat(status.waiters()).isEmpty();
    }
}
