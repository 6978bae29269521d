package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LostReason;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Anybody who reaches the store's channel may say that a claim was taken away, as often as they like. */
class RevocationTest extends EngineFixture {

    private void revoked(int times) {
        ClaimId claim = backend.claim(0).id();
        for (int i = 0; i < times; i++) {
            backend.listener().revoked(claim);
        }
    }

    @Test
    void revoked_flood_oneLook() {
        Lease lease = lock().acquire();

        revoked(1_000);
        assertThat(runtime.worker().size()).isOne();
        runtime.run();

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    @Test
    void revoked_flood_renewalThreadsStayFree() {
        Lease lease = lock().acquire();

        revoked(1_000);

        assertThat(runtime.renewals().size()).isZero();
        lease.close();
    }

    /** The store may have taken it away after it answered the look. */
    @Test
    void revoked_duringALook_oneMoreLook() {
        lock().acquire();
        storeMayKeepClaims();
        backend.nextRenewal(renewals -> {
            revoked(1_000);
            return ScriptedBackend.renewAll(renewals);
        });
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));

        revoked(1);
        runtime.run();

        assertThat(backend.renewals()).hasSize(2);
        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::reason)
                .containsExactly(LostReason.FORGOTTEN);
    }

    @Test
    void revoked_afterALook_looksAgain() {
        Lease lease = lock().acquire();

        revoked(1);
        runtime.run();
        revoked(1);
        runtime.run();

        assertThat(backend.renewals()).hasSize(2);
        lease.close();
    }
}
