package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the inspector of a client shows of that client's own line. */
class OwnViewTest extends EngineFixture {
    private static final Resource LOCK = new Resource(LockKind.LOCK, "a", 1);
    private static final ClaimId STRANGER = new ClaimId("stranger", 7);

    private CompletableFuture<Lease> by(String label) {
        return waiting(engine.lock("a", LockOptions.defaults().label(label)));
    }

    private void storeShows(List<ResourceView.Holder> holders, List<ResourceView.Waiting> waiting) {
        backend.inspections(resource -> Optional.of(new ResourceView(LOCK, holders, waiting)));
    }

    private static ResourceView.Holder held(ClaimId claim, String label) {
        return new ResourceView.Holder(claim, 1, 16, seconds(20), label);
    }

    private static ResourceView.Waiting waits(ClaimId claim, String label) {
        return new ResourceView.Waiting(claim, 1, label);
    }

    private LockStatus status() {
        return engine.inspector().find(LockKind.LOCK, "a").orElseThrow();
    }

    private List<String> waiters() {
        return status().waiters().stream()
                .map(waiter -> waiter.client().id() + " " + waiter.claim() + " " + waiter.label())
                .toList();
    }

    @Test
    void find_passedOnInsideTheClient_showsWhoHasItNow() {
        CompletableFuture<Lease> first = by("first");
        CompletableFuture<Lease> second = by("second");
        storeShows(List.of(held(backend.claim(0).id(), "first")), List.of());
        assertThat(status().holders()).extracting(LockStatus.Holder::label).containsExactly("first");

        lease(first).close();
        runtime.run();

        assertThat(lease(second).isValid()).isTrue();
        assertThat(status().holders()).extracting(LockStatus.Holder::label).containsExactly("second");
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void find_threadsBehindTheirOwnClient_shownAfterTheStoresLine() {
        by("first");
        by("second");
        by("third");
        storeShows(List.of(held(backend.claim(0).id(), "first")), List.of(waits(STRANGER, "elsewhere")));

        assertThat(waiters()).containsExactly("stranger 7 elsewhere", "client 0 second", "client 0 third");
    }

    @Test
    void find_clientWaitsInTheStoresLine_itsOwnAreShownThere() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Lease> first = by("first");
        by("second");
        by("third");
        ClaimId claim = backend.claim(0).id();
        storeShows(List.of(held(STRANGER, "elsewhere")), List.of(waits(claim, "first"), waits(STRANGER, "last")));
        assertThat(waiters()).containsExactly("client 1 first", "client 0 second", "client 0 third", "stranger 7 last");

        first.cancel(false);
        runtime.run();

        assertThat(waiters()).containsExactly("client 1 second", "client 0 third", "stranger 7 last");
        assertThat(status().holders()).extracting(LockStatus.Holder::label).containsExactly("elsewhere");
    }

    @Test
    void find_nothingOpenHere_asTheStoreHasIt() {
        storeShows(List.of(held(STRANGER, "elsewhere")), List.of(waits(STRANGER, "last")));

        assertThat(waiters()).containsExactly("stranger 7 last");
    }
}
