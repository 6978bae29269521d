package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;

/**
 * A store that forgot everything: holders are told, waiters come back, tokens go on. All leases here are short.
 *
 * @since 0.1
 */
public abstract class AmnesiaContract extends Contract {
    private Runnable forget = () -> {};

    /** For subclasses. */
    protected AmnesiaContract() {}

    @BeforeEach
    final void findOutHowToForget() {
        forget = fixture().forgetEverything().orElseThrow();
    }

    private LockOptions shortLease() {
        return lease(700);
    }

    @TestWith(Ability.AMNESIA)
    void forget_held_isToldOnce() {
        String name = name("forgotten");
        LockClient client = client(lease(3_000));
        Lease lease = client.lock(name).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);

        forget.run();

        soon("the loss").until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.FORGOTTEN);
        assertThat(lease.isValid()).isFalse();
        try (Lease next = client.lock(name).acquire()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
        assertThat(told).hasSize(1);
    }

    /**
     * A store with a guard waits; one without may grant at once, and then only the token tells the two holders apart.
     */
    @TestWith(Ability.AMNESIA)
    void forget_holderBelievesInItsLease_nextIsLaterOrHasAGreaterToken() {
        String name = name("guarded");
        Lease lease = client(fixedLease(900)).lock(name).acquire();
        LockClient other = client(shortLease());

        forget.run();

        try (Lease next = other.lock(name).acquire()) {
            assertThat(fixture().guardsAfterForgetting() && lease.isValid())
                    .as("the lease from before is valid behind a guard")
                    .isFalse();
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @TestWith(Ability.AMNESIA)
    void forget_othersWait_theyComeBackByThemselves() {
        String name = name("waiting");
        Lease held = client(lease(3_000)).lock(name).acquire();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            LockClient client = client(shortLease());
            waiting.add(client.lock(name).acquireAsync().thenAccept(Lease::close));
            awaitContended(client, name, 1);
        }

        forget.run();

        CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
                .orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                .join();
        held.close();
        soon("nobody holds or waits")
                .until(() -> look(LockKind.LOCK, name).holders().isEmpty()
                        && look(LockKind.LOCK, name).waiting().isEmpty());
    }

    @TestWith(Ability.AMNESIA)
    void token_afterwards_isStillGreater() {
        String name = name("tokens");
        LockClient client = client(shortLease());
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (LockClient each : List.of(client, client(shortLease()))) {
                try (Lease lease = each.lock(name).acquire()) {
                    tokens.add(lease.token());
                }
            }
            forget.run();
        }
        assertThat(tokens).hasSize(6).isSorted().doesNotHaveDuplicates();
    }

    @TestWith(Ability.AMNESIA)
    void store_afterwards_knowsNoClaim() {
        RawClient client = rawClient();
        Duration lease = millis(600);
        Claim held = client.claim(new Resource(LockKind.LOCK, name("forgotten"), 1), 1, lease, 16, true);
        long token = client.grant(held);
        client.attempt(client.claim(held.resource(), 1, lease));

        forget.run();

        assertThat(client.renew(held, lease)).isInstanceOf(RenewResult.Gone.class);
        assertThat(client.release(held)).isFalse();
        assertThat(observer().look(held.resource()).holders()).isEmpty();
        assertThat(observer().look(held.resource()).waiting()).isEmpty();
        Claim next = client.claim(held.resource(), 1, lease);
        soon("a grant").until(() -> client.attempt(next) instanceof AttemptResult.Granted);
        assertThat(client.grant(next)).isGreaterThan(token + 15);
    }
}
