package io.holdfast.zookeeper.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When claims end, and who waits. */
class HeldClaimsTest {
    private static final String PARENT = "/holdfast/lock:a";

    private final AtomicLong nanos = new AtomicLong();
    private final HeldClaims claims = new HeldClaims(new TimeSource() {
        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    });

    private HeldClaim ask(long sequence) {
        Resource mutex = new Resource(LockKind.LOCK, "a", 1);
        Claim claim = Claim.builder(new ClaimId("client", sequence), mutex, Duration.ofMinutes(2))
                .build();
        HeldClaim own = claims.ask(claim, null, PARENT);
        claims.stands(own, PARENT + "/client." + sequence + ",1,1,1,_0000000001", 1);
        return own;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** An answer that says "not yet" may be older than the event that says "now". */
    @Test
    void waits_servedMeanwhile_changesNothing() {
        HeldClaim own = ask(1);
        claims.waits(own, 1);
        assertThat(claims.isServed(own, Duration.ofMinutes(2))).isTrue();

        assertThat(claims.waits(own, 1)).isTrue();

        pass(Duration.ofSeconds(119));
        assertThat(claims.takeDue(nanos.get()).ended())
                .as("ended before its lease")
                .isEmpty();
        assertThat(claims.held(own.claim.id())).isSameAs(own);
        pass(Duration.ofSeconds(1));
        assertThat(claims.takeDue(nanos.get()).ended()).containsExactly(own);
    }

    @Test
    void waiting_holdsOrEnds_waitsNoMore() {
        HeldClaim served = ask(1);
        HeldClaim released = ask(2);
        HeldClaim forgotten = ask(3);
        HeldClaim asked = ask(4);
        for (HeldClaim own : new HeldClaim[] {served, released, forgotten}) {
            claims.waits(own, 1);
        }
        assertThat(claims.waiting(null, PARENT)).containsExactly(served, released, forgotten);
        claims.isServed(served, Duration.ofMinutes(2));
        claims.end(released.claim.id());
        assertThat(claims.waiting(null, PARENT)).containsExactly(forgotten);
        pass(Duration.ofMinutes(1));
        assertThat(claims.takeDue(nanos.get()).ended()).containsExactly(forgotten);
        assertThat(claims.waiting(null, PARENT)).isEmpty();
        assertThat(claims.get(asked.claim.id())).isSameAs(asked);
    }

    @Test
    void takeBehind_findsThoseForWhomTheNodeIsWatched() {
        HeldClaim one = ask(1);
        HeldClaim other = ask(2);
        claims.waits(one, 1);
        claims.waits(other, 2);
        assertThat(claims.watches(one, "x")).isTrue();
        assertThat(claims.watches(one, "x")).as("watched already").isFalse();
        assertThat(claims.watches(other, "y")).isTrue();
        assertThat(claims.behind(null, PARENT, "x")).containsExactly(one);
        assertThat(claims.takeBehind(null, PARENT, "x")).containsExactly(one);
        assertThat(claims.takeBehind(null, PARENT, "x")).isEmpty();
        assertThat(claims.watchedFor(other)).isEqualTo("y");
    }

    @Test
    void takeDue_heldForAWhile_isWatchedOnceUnlessItWasInVain() {
        HeldClaim own = ask(1);
        claims.holds(own, Duration.ofMinutes(2));
        assertThat(claims.takeDue(nanos.get() - 1).unwatched()).as("too young").isEmpty();
        assertThat(claims.takeDue(nanos.get()).unwatched()).containsExactly(own);
        assertThat(claims.takeDue(nanos.get()).unwatched()).isEmpty();
        claims.unwatched(own);
        assertThat(claims.takeDue(nanos.get()).unwatched()).containsExactly(own);
    }
}
