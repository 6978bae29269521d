package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/**
 * A network that is away while many contend, and then delivers everything at once: two are never in, and nothing is
 * left that nobody knows of.
 *
 * @since 0.1
 */
public abstract class BurstContract extends WiredTests {
    /** As long as a network is away that comes back before anybody has looked after it. */
    private static final Duration LONG_HOLD = Duration.ofSeconds(20);

    /** For subclasses. */
    protected BurstContract() {}

    @TestWith(Ability.WIRE)
    void burst_heldForSeveralTimeouts_thenAllAtOnce_leavesEverythingFree() {
        assertBurstLeavesEverythingFree(timeout().multipliedBy(5));
    }

    @Tag("full")
    @TestWith(Ability.WIRE)
    void burst_heldForTwentySeconds_thenAllAtOnce_leavesEverythingFree() {
        assertBurstLeavesEverythingFree(LONG_HOLD.multipliedBy(fixture().timeScale()));
    }

    private void assertBurstLeavesEverythingFree(Duration hold) {
        String shared = name("shared");
        List<String> own = List.of(name("own"), name("own"), name("own"));
        Section section = new Section(1);
        List<Long> tokens = new ArrayList<>();
        AtomicBoolean enough = new AtomicBoolean();
        LockOptions options = defaults().lease(hold.plus(longLease()));
        List<LockClient> clients = List.of(wiredClient(options), wiredClient(options), client(options));
        List<Crew.Hand<Boolean>> hands = new ArrayList<>();
        for (int c = 0; c < clients.size(); c++) {
            LockClient client = clients.get(c);
            String mine = own.get(c);
            for (int t = 0; t < 3; t++) {
                hands.add(crew().run("contender " + c + '.' + t, () -> {
                    while (!enough.get()) {
                        useOnce(client, mine, lease -> {});
                        useOnce(client, shared, lease -> section.pass(() -> tokens.add(lease.token())));
                    }
                }));
            }
        }
        soon("passes").until(() -> section.passes() > 10);
        wire().holdRequests(hold);
        long heldNanos = TimeSource.system().nanoTime() + hold.toNanos();
        soon("the end of the hold, and passes after it")
                .atMost(hold.plus(patience()))
                .until(() -> TimeSource.system().nanoTime() - heldNanos > 0);
        int before = section.passes();
        soon("passes").until(() -> section.passes() > before + 10);
        enough.set(true);
        hands.forEach(Crew.Hand::result);

        section.verify();
        assertThat(tokens).hasSize(section.passes()).isSorted().doesNotHaveDuplicates();
        assertFree(shared);
        own.forEach(this::assertFree);
        List<String> all = Stream.concat(own.stream(), Stream.of(shared)).toList();
        long lastNanos = TimeSource.system().nanoTime() + timeout().toNanos();
        soon("the end of the last request's time") // until then it may be granted, and is taken back
                .until(() -> TimeSource.system().nanoTime() - lastNanos > 0);
        soon("nobody holds or waits").atMost(hold).pollInSameThread().until(() -> isUnused(all));
        always("nothing comes back", timeout().multipliedBy(2), () -> isUnused(all));
        assertThat(wire().faults()).isPositive();
    }

    private boolean isUnused(List<String> names) {
        return names.stream()
                .map(name -> look(LockKind.LOCK, name))
                .allMatch(seen -> seen.holders().isEmpty() && seen.waiting().isEmpty());
    }

    /** Takes the lock for a moment, if it is free soon and the store answers. */
    private void useOnce(LockClient client, String name, Consumer<Lease> work) throws InterruptedException {
        Optional<Lease> lease;
        try {
            lease = client.lock(name).tryAcquire(millis(200));
        } catch (LockStoreException unanswered) {
            return;
        }
        lease.ifPresent(held -> {
            work.accept(held);
            held.close();
        });
    }
}
