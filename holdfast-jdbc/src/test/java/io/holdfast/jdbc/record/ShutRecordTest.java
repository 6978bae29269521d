package io.holdfast.jdbc.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row of a database that may have forgotten who holds it. */
class ShutRecordTest {
    private static final long NOW = 1_000_000_000;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Resource RESOURCE = new Resource(LockKind.LOCK, "a", 1);

    private static Claim claim(String client) {
        return Claim.builder(new ClaimId(client, 1), RESOURCE, LEASE)
                .waits(true)
                .build();
    }

    private static LockRecord empty() {
        return new LockRecord(LockKind.LOCK, 1, 7, List.of(), List.of());
    }

    /** Who waits in a row whose holder is over. */
    private static LockRecord waiting() {
        LockRecord row = empty();
        row.attempt(claim("holder"), NOW - Micros.of(LEASE));
        assertThat(row.attempt(claim("waiter"), NOW - 1)).isInstanceOf(AttemptResult.Queued.class);
        return row;
    }

    @Test
    void release_whileShut_servesNobody() {
        LockRecord row = waiting();
        row.shut();
        row.release(new ClaimId("holder", 1), NOW);
        assertThat(row.served()).isEmpty();
        assertThat(row.line()).hasSize(1);
        assertThat(row.holders()).isEmpty();
    }

    @Test
    void release_whileOpen_servesTheLine() {
        LockRecord row = waiting();
        row.release(new ClaimId("holder", 1), NOW);
        assertThat(row.served())
                .singleElement()
                .satisfies(served -> assertThat(served.token()).isGreaterThan(NOW - Micros.of(LEASE)));
    }

    @Test
    void putBack_nobodyIsThere_holdsWithItsToken() {
        LockRecord row = empty();
        row.shut();
        assertThat(row.putBack(Holder.of(claim("holder"), 42, NOW, Micros.of(LEASE)), NOW))
                .isEqualTo(LEASE);
        assertThat(row.isHeldBy(new ClaimId("holder", 1), NOW)).isTrue();
        assertThat(row.lastToken()).isEqualTo(42);
        assertThat(row.isChanged()).isTrue();
    }

    @Test
    void putBack_somebodyElseHolds_isRefused() {
        LockRecord row = empty();
        row.attempt(claim("other"), NOW);
        row.shut();
        assertThat(row.putBack(Holder.of(claim("holder"), 42, NOW, Micros.of(LEASE)), NOW))
                .isNull();
        assertThat(row.isHeldBy(new ClaimId("holder", 1), NOW)).isFalse();
    }

    /** The database has forgotten the release, and the grant that came after it. */
    @Test
    void putBack_formerHolderIsStillThere_takesItsPlace() {
        LockRecord row = empty();
        row.attempt(claim("former"), NOW);
        row.attempt(claim("next"), NOW);
        row.shut();
        assertThat(row.putBack(Holder.of(claim("next"), row.lastToken() + 1, NOW, Micros.of(LEASE)), NOW))
                .isEqualTo(LEASE);
        assertThat(row.holders()).extracting(holder -> holder.id().client()).containsExactly("next");
        assertThat(row.line()).isEmpty();
    }

    /** Of several permits, one that was granted later says nothing about the others. */
    @Test
    void putBack_aPermitOfSeveral_leavesTheOthers() {
        LockRecord row = new LockRecord(LockKind.SEMAPHORE, 2, 7, List.of(), List.of());
        Resource permits = new Resource(LockKind.SEMAPHORE, "a", 2);
        for (String client : List.of("one", "two")) {
            row.attempt(Claim.builder(new ClaimId(client, 1), permits, LEASE).build(), NOW);
        }
        row.shut();
        Claim late = Claim.builder(new ClaimId("late", 1), permits, LEASE).build();
        assertThat(row.putBack(Holder.of(late, row.lastToken() + 1, NOW, Micros.of(LEASE)), NOW))
                .isNull();
        assertThat(row.holders()).hasSize(2);
    }

    @Test
    void isHeldBy_leaseIsOver_doesNot() {
        LockRecord row = empty();
        row.attempt(claim("holder"), NOW);
        assertThat(row.isHeldBy(new ClaimId("holder", 1), NOW + Micros.of(LEASE)))
                .isFalse();
    }
}
