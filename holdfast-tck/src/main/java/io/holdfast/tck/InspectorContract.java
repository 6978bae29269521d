package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.LostReason;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What an operator sees of everybody's locks, and what breaking one does.
 *
 * @since 0.1
 */
public abstract class InspectorContract extends Contract {

    /** For subclasses. */
    protected InspectorContract() {}

    @Test
    void find_held_showsWho() {
        String name = name("seen");
        LockClient holder = client();
        LockInspector inspector = client().inspector();
        try (Lease lease = holder.lock(name, defaults().label("the holder")).acquire()) {
            assertThat(status(inspector, name).holders()).singleElement().satisfies(held -> {
                assertThat(held.client().id()).isEqualTo(holder.id());
                assertThat(held.label()).isEqualTo("the holder");
                assertThat(held.token()).isGreaterThanOrEqualTo(lease.token());
            });
            assertThat(status(inspector, name).waiters()).isEmpty();
        }
        assertThat(inspector.find(LockKind.LOCK, name).stream().flatMap(status -> status.holders().stream()))
                .isEmpty();
    }

    @TestWith(Ability.LINE)
    void find_heldAndWaitedFor_showsWhoAndInWhichOrder() throws Exception {
        String name = name("seen");
        LockClient holder = client();
        LockClient other = client(defaults().fairness(Fairness.FIFO));
        LockInspector inspector = client().inspector();
        assertThat(inspector.find(LockKind.LOCK, name)).isEmpty();

        try (Lease lease = holder.lock(name, defaults().label("the holder")).acquire()) {
            CompletableFuture<Lease> waiting =
                    other.lock(name, defaults().label("the waiter")).acquireAsync();
            soon("a waiter").until(() -> !status(inspector, name).waiters().isEmpty());

            LockStatus status = status(inspector, name);
            assertThat(status.kind()).isEqualTo(LockKind.LOCK);
            assertThat(status.holders()).singleElement().satisfies(held -> {
                assertThat(held.client().id()).isEqualTo(holder.id());
                assertThat(held.label()).isEqualTo("the holder");
                assertThat(held.token()).isGreaterThanOrEqualTo(lease.token());
                assertThat(held.left()).isPositive();
            });
            assertThat(status.waiters()).singleElement().satisfies(waiter -> {
                assertThat(waiter.client().id()).isEqualTo(other.id());
                assertThat(waiter.label()).isEqualTo("the waiter");
            });
            try (Stream<LockStatus> all = inspector.list(name)) {
                assertThat(all.map(LockStatus::name)).containsExactly(name);
            }
            lease.close();
            waiting.get(patience().toSeconds(), TimeUnit.SECONDS).close();
        }
    }

    @Test
    void breakClaim_holder_isToldAndTheNextIsServed() throws Exception {
        String name = name("broken");
        LockClient holder = client();
        Lease lease = holder.lock(name, lease(3_000)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        LockClient other = client();
        CompletableFuture<Lease> waiting = other.lock(name).acquireAsync();
        LockInspector inspector = client().inspector();
        awaitContended(other, name, 1);
        if (fixture().keepsLine()) {
            soon("a waiter").until(() -> !status(inspector, name).waiters().isEmpty());
        }
        LockStatus seen = status(inspector, name);
        LockStatus.Holder held = seen.holders().get(0);
        Lease elsewhere = holder.lock(name("elsewhere")).acquire();

        assertThat(inspector.breakClaim(status(inspector, elsewhere.name()), held))
                .as("a claim on another lock")
                .isFalse();
        assertThat(inspector.breakClaim(seen, held)).isTrue();

        Lease next = waiting.get(patience().toSeconds(), TimeUnit.SECONDS);
        soon("the loss").until(() -> !told.isEmpty());
        assertThat(List.copyOf(told)).containsExactly(LostReason.FORGOTTEN);
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(inspector.breakClaim(seen, held)).as("a claim that is over").isFalse();
        assertThat(next.isValid()).isTrue();
        next.close();
        assertThat(elsewhere.isValid()).isTrue();
        elsewhere.close();
    }

    @TestWith(Ability.LINE)
    void breakClaim_waiter_leavesTheLine() throws Exception {
        String name = name("impatient");
        Lease lease = client().lock(name).acquire();
        CompletableFuture<Lease> waiting =
                client().lock(name, defaults().fairness(Fairness.FIFO)).acquireAsync();
        LockInspector inspector = client().inspector();
        soon("a waiter").until(() -> !status(inspector, name).waiters().isEmpty());
        LockStatus seen = status(inspector, name);

        assertThat(inspector.breakClaim(seen, seen.waiters().get(0))).isTrue();

        assertThat(lease.isValid()).isTrue();
        lease.close();
        waiting.get(patience().toSeconds(), TimeUnit.SECONDS).close(); // it asks again and gets a new place
    }

    private static LockStatus status(LockInspector inspector, String name) {
        return inspector.find(LockKind.LOCK, name).orElseThrow();
    }
}
