package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Clients whose wall clocks are wrong, one by an hour ahead and one by an hour behind: it is the store's clock that
 * counts. No lease ends early, none lasts more than a second longer, and tokens grow.
 *
 * <p>A store may refuse such clients. Then clocks are as wrong as it allows, see
 * {@link BackendFixture#clockTolerance()}.
 *
 * @since 0.1
 */
public abstract class SkewContract extends Contract {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** For subclasses. */
    protected SkewContract() {}

    private TimeSource ahead() {
        return new SkewedTime(fixture().clockTolerance());
    }

    private TimeSource behind() {
        return new SkewedTime(fixture().clockTolerance().negated());
    }

    private static Resource mutex(String word) {
        return new Resource(LockKind.LOCK, name(word), 1);
    }

    // ---- leases end in time

    @Test
    void lease_holderIsAhead_endsInTime() {
        assertLeaseEndsInTime(ahead(), behind());
    }

    @Test
    void lease_holderIsBehind_endsInTime() {
        assertLeaseEndsInTime(behind(), ahead());
    }

    private void assertLeaseEndsInTime(TimeSource holders, TimeSource others) {
        RawClient holder = rawClient(holders);
        RawClient other = rawClient(others);
        Resource resource = mutex("lease");
        for (int round = 0; round < 2; round++) {
            Claim claim = holder.claim(resource, 1, millis(400));
            long sentNanos = TimeSource.system().nanoTime();
            long token = holder.grant(claim);
            Claim next = awaitEnd(
                    other, resource, millis(400), sentNanos, TimeSource.system().nanoTime(), token);
            assertThat(holder.renew(claim, millis(400))).isInstanceOf(RenewResult.Gone.class);
            assertThat(other.release(next)).isTrue();
        }
    }

    @Test
    void renewal_holderIsAhead_endsInTime() {
        assertRenewalEndsInTime(ahead(), behind());
    }

    @Test
    void renewal_holderIsBehind_endsInTime() {
        assertRenewalEndsInTime(behind(), ahead());
    }

    private void assertRenewalEndsInTime(TimeSource holders, TimeSource others) {
        RawClient holder = rawClient(holders);
        RawClient other = rawClient(others);
        Resource resource = mutex("renewed");
        Duration lease = millis(1_200);
        AtomicReference<@Nullable Renewed> renewed = new AtomicReference<>();
        soon("a renewal before the end of the lease").pollInSameThread().until(() -> {
            Claim claim = holder.claim(resource, 1, millis(600), 1, false);
            long askedNanos = TimeSource.system().nanoTime();
            if (!(holder.attempt(claim) instanceof AttemptResult.Granted granted)) {
                return false; // the one before is not over yet
            }
            long sentNanos = TimeSource.system().nanoTime();
            RenewResult result = holder.renew(claim, lease);
            if (result instanceof RenewResult.Renewed) {
                renewed.set(new Renewed(sentNanos, TimeSource.system().nanoTime(), granted.token()));
                return true;
            }
            assertThat(Duration.ofNanos(TimeSource.system().nanoTime() - askedNanos))
                    .as("how long ago the lease began of which the store says %s", result)
                    .isGreaterThanOrEqualTo(millis(600));
            return false;
        });
        Renewed last = Objects.requireNonNull(renewed.get());
        other.release(awaitEnd(other, resource, lease, last.sentNanos, last.answeredNanos, last.token));
    }

    private record Renewed(long sentNanos, long answeredNanos, long token) {}

    /**
     * Asks until the lease of somebody else is over. It must not be before; and a caller that asks a second later must
     * not be refused, however long the answers take.
     */
    private Claim awaitEnd(
            RawClient other, Resource resource, Duration lease, long sentNanos, long answeredNanos, long token) {
        Claim next = other.claim(resource, 1, defaults().lease(), 1, false);
        soon("the end of the lease").pollInSameThread().until(() -> {
            long askedNanos = TimeSource.system().nanoTime();
            if (other.attempt(next) instanceof AttemptResult.Granted granted) {
                assertThat(Duration.ofNanos(TimeSource.system().nanoTime() - sentNanos))
                        .as("how long it was held before somebody else got it")
                        .isGreaterThanOrEqualTo(lease);
                assertThat(granted.token()).isGreaterThan(token);
                return true;
            }
            assertThat(Duration.ofNanos(askedNanos - answeredNanos))
                    .as("how long it was refused to others")
                    .isLessThan(lease.plus(SECOND.multipliedBy(fixture().timeScale())));
            return false;
        });
        return next;
    }

    @Test
    void look_clocksDiffer_showsWhatIsLeft() {
        RawClient holder = rawClient(ahead());
        Resource resource = mutex("seen");
        Duration lease = defaults().lease();
        holder.grant(holder.claim(resource, 1, lease));
        for (TimeSource clocks : List.of(behind(), ahead(), TimeSource.system())) {
            List<ResourceView.Holder> seen = rawClient(clocks).look(resource).holders();
            assertThat(seen).hasSize(1);
            assertThat(seen.get(0).left()).isPositive().isLessThanOrEqualTo(lease);
        }
    }

    // ---- tokens and the line

    @Test
    void token_clocksDiffer_grows() {
        Resource resource = mutex("tokens");
        List<RawClient> clients =
                List.of(rawClient(ahead()), rawClient(behind()), rawClient(), rawClient(behind()), rawClient(ahead()));
        long last = 0;
        for (int turn = 0; turn < 25; turn++) {
            RawClient client = clients.get(turn % clients.size());
            Claim claim = client.claim(resource, 1, defaults().lease(), 1 + turn % 7, true);
            long token = client.grant(claim);
            assertThat(token).as("turn %s", turn).isGreaterThan(last);
            last = token + turn % 7;
            assertThat(client.release(claim)).isTrue();
        }
    }

    @TestWith(Ability.LINE)
    void line_clocksDiffer_isFirstComeFirstServed() {
        Resource resource = mutex("line");
        RawClient holder = rawClient();
        List<RawClient> clients = List.of(rawClient(behind()), rawClient(ahead()), rawClient(behind()));
        Claim held = holder.claim(resource, 1, defaults().lease());
        long token = holder.grant(held);
        List<Claim> line = new ArrayList<>();
        for (RawClient client : clients) {
            Claim claim = client.claim(resource, 1, defaults().lease());
            client.queue(claim);
            line.add(claim);
        }
        for (int i = clients.size() - 1; i >= 0; i--) {
            assertThat(clients.get(i).queue(line.get(i)).place()).isEqualTo(i + 1);
        }

        assertThat(holder.release(held)).isTrue();

        for (int i = 0; i < clients.size(); i++) {
            RawClient client = clients.get(i);
            Claim claim = line.get(i);
            if (i + 1 < clients.size()) {
                clients.get(i + 1).queue(line.get(i + 1));
            }
            long next = client.grant(claim);
            assertThat(next).isGreaterThan(token);
            token = next;
            assertThat(client.grantsOf(claim))
                    .allSatisfy(told -> assertThat(Duration.ofNanos(told.heardNanos() - told.startNanos()))
                            .as("since when, by the clock of the client")
                            .isBetween(Duration.ZERO, patience()));
            assertThat(client.release(claim)).isTrue();
        }
    }

    // ---- with an engine

    @Test
    void hold_holderIsAhead_isKeptAndNobodyElses() {
        assertKept(ahead(), behind());
    }

    @Test
    void hold_holderIsBehind_isKeptAndNobodyElses() {
        assertKept(behind(), ahead());
    }

    private void assertKept(TimeSource holders, TimeSource others) {
        String name = name("kept");
        LockClient holder = client(holders, lease(3_000));
        LockClient other = client(others, lease(3_000));
        Lease lease = holder.lock(name).acquire();
        always(
                "the lock is kept",
                millis(3_500),
                () -> lease.isValid() && other.lock(name).tryAcquire().isEmpty());
        assertThat(events(holder).all(LockEvent.Lost.class, name)).isEmpty();
        lease.close();
        try (Lease next = other.lock(name).acquire()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void contention_clocksDiffer_oneAfterAnotherWithGrowingTokens() {
        String name = name("contended");
        Section section = new Section(1);
        List<Long> tokens = new ArrayList<>();
        for (TimeSource clocks : List.of(ahead(), behind(), TimeSource.system())) {
            for (Fairness fairness : Fairness.values()) {
                LockClient client = client(clocks, defaults().fairness(fairness));
                crew().run("contender", () -> {
                    for (int round = 0; round < 10; round++) {
                        try (Lease lease = client.lock(name).acquire()) {
                            section.pass(() -> tokens.add(lease.token()));
                        }
                    }
                });
            }
        }
        crew().finish();
        section.verify();
        assertThat(tokens).hasSize(60).isSorted().doesNotHaveDuplicates();
    }

    // ---- clocks that are too wrong

    @TestWith(Ability.CLOCK_CHECK)
    void start_clockIsTooWrong_isRefusedWithAReason() {
        for (Duration wrong : List.of(SkewedTime.MOST, SkewedTime.MOST.negated())) {
            assertThatThrownBy(() -> client(new SkewedTime(wrong), defaults()))
                    .as("a client that is off by %s", wrong)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("clock");
        }
    }
}
