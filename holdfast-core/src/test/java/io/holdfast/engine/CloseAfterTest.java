package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.MultiLease;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A lease that is over for its holder, and stays in the store for a time. */
class CloseAfterTest extends EngineFixture {

    /** What the last renewal asked for, or zero if there was none. */
    private Duration askedFor() {
        List<Renewal> all = backend.renewals().stream()
                .flatMap(call -> call.renewals().stream())
                .toList();
        return all.isEmpty() ? Duration.ZERO : all.get(all.size() - 1).lease();
    }

    private void assertKeptFor(Lease lease, Duration time) {
        runtime.advance(time.minusMillis(1));
        assertThat(backend.releases()).as("released before %s", time).isEmpty();
        runtime.advance(millis(1));
        assertThat(backend.releases()).as("released after %s", time).hasSize(1);
        assertThat(lease.isValid()).isFalse();
    }

    // ---- how long

    @Test
    void closeAfter_longerThanTheLease_storeIsAskedForItAndReleasedThen() {
        Lease lease = lock().acquire();

        lease.closeAfter(seconds(300));

        assertThat(askedFor()).isEqualTo(seconds(300));
        assertKeptFor(lease, seconds(300));
        assertThat(backend.renewals()).as("not renewed any more").hasSize(1);
    }

    @Test
    void closeAfter_leaseIsLongEnough_storeIsNotAsked() {
        Lease lease = lock().acquire();

        lease.closeAfter(seconds(20));

        assertThat(backend.renewals()).isEmpty();
        assertKeptFor(lease, seconds(20));
        assertThat(backend.renewals()).as("not renewed any more").isEmpty();
    }

    @Test
    void closeAfter_zero_isClose() {
        Lease lease = lock().acquire();

        lease.closeAfter(Duration.ZERO);

        assertThat(backend.releases()).hasSize(1);
        assertThat(lease.isValid()).isFalse();
    }

    /** A millisecond before the end of the lease even the shortest time needs the store. */
    @Test
    void closeAfter_shorterThanAnyLease_asksForTheShortest() {
        Lease lease = lock().tryAcquire().map(Lease.class::cast).orElseThrow();
        backend.renewals(renewals -> List.of(new RenewResult.Failed(new IllegalStateException("down"))));
        runtime.advance(USABLE.minusMillis(5));
        backend.renewals(ScriptedBackend::renewAll);

        lease.closeAfter(millis(10));

        assertThat(askedFor()).isEqualTo(LockOptions.SHORTEST_LEASE);
        storeMayKeepClaims();
    }

    @Test
    void closeAfter_fixedLeaseAndMaxHold_keptBeyondBoth() {
        LockOptions brief = LockOptions.defaults().fixedLease(seconds(2)).maxHold(seconds(3));
        Lease lease = engine.lock("a", brief).acquire();

        lease.closeAfter(seconds(60));

        assertThat(askedFor()).isEqualTo(seconds(60));
        assertKeptFor(lease, seconds(60));
        assertThat(events(LockEvent.Lost.class)).isEmpty();
    }

    // ---- the end of the client

    @Test
    void closeAfter_clientIsClosed_nothingIsReleased() {
        Lease lease = lock().acquire();
        lease.closeAfter(seconds(60));

        engine.close();
        runtime.advance(seconds(120));

        assertThat(backend.releases()).isEmpty();
        storeMayKeepClaims();
    }

    // ---- who gets it next

    @Test
    void closeAfter_anotherThreadHereWaits_asksTheStoreWithAClaimOfItsOwn() {
        Lease lease = lock().acquire();
        CompletableFuture<Lease> next = waiting(lock());
        backend.attempts(ScriptedBackend.queued(1, seconds(60)));

        lease.closeAfter(seconds(60));
        runtime.run();

        assertThat(next).as("nobody has it passed on").isNotDone();
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        push(backend.claim(1), seconds(3));
        assertThat(lease(next).token()).isGreaterThan(lease.token());
        lease(next).close();
        runtime.advance(seconds(60));
    }

    @Test
    void closeAfter_leaseThatWasPassedOn_claimIsKept() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());
        first.close();
        runtime.run();
        assertThat(lease(second).id()).isEqualTo(first.id());

        lease(second).closeAfter(seconds(60));

        assertKeptFor(lease(second), seconds(60));
    }

    @Test
    void closeAfter_threadOwnedLock_isNotHeldAnyMore() {
        DistributedLock lock = lock();
        lock.lock();

        lock.lease().closeAfter(seconds(20));

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        runtime.advance(seconds(20));
    }

    // ---- renewals on their way

    /** The watchdog asked before, and is answered after: what it finds ended must not be given back. */
    @Test
    void closeAfter_renewalAnsweredLater_claimIsKept() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            lease.closeAfter(seconds(15));
            return ScriptedBackend.renewAll(renewals);
        });
        runtime.advance(seconds(10));

        assertThat(lease.isValid()).isFalse();
        assertThat(backend.releases()).isEmpty();
        runtime.advance(seconds(15));
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void closeAfter_renewalFailsLater_claimIsKept() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            lease.closeAfter(seconds(15));
            throw new IllegalStateException("connection reset");
        });
        runtime.advance(seconds(10));

        assertThat(lease.isValid()).isFalse();
        assertThat(backend.releases()).isEmpty();
        runtime.advance(seconds(15));
        assertThat(backend.releases()).isNotEmpty();
    }

    // ---- what is told

    @Test
    void closeAfter_listeners_hearReleasedOnce() {
        Lease lease = lock().acquire();
        runtime.jump(seconds(2));

        lease.closeAfter(seconds(20));
        lease.close();
        runtime.advance(seconds(60));

        assertThat(events(LockEvent.Released.class))
                .singleElement()
                .satisfies(event -> assertThat(event.held()).isEqualTo(seconds(2)));
        assertThat(events(LockEvent.Lost.class)).isEmpty();
    }

    // ---- trouble

    @Test
    void closeAfter_storeIsDown_closedAndNotReleasedAndTold() {
        Lease lease = lock().acquire();
        backend.renewals(ScriptedBackend.down());

        assertThatThrownBy(() -> lease.closeAfter(seconds(60)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("1m")
                .hasMessageContaining("connection reset")
                .hasMessageContaining("closed");

        assertThat(lease.isValid()).isFalse();
        assertKeptFor(lease, seconds(60));
    }

    @Test
    void closeAfter_storeGivesLess_told() {
        Lease lease = lock().acquire();
        backend.renewals(renewals -> List.of(new RenewResult.Renewed(seconds(40))));

        assertThatThrownBy(() -> lease.closeAfter(seconds(60)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("gave less");

        runtime.advance(seconds(60));
    }

    /** It is kept for so long from the call, however long the answer takes. */
    @Test
    void closeAfter_storeAnswersSlowly_isNoTrouble() {
        Lease lease = lock().acquire();
        backend.renewals(renewals -> {
            runtime.jump(seconds(10));
            return ScriptedBackend.renewAll(renewals);
        });

        lease.closeAfter(seconds(60));

        runtime.advance(seconds(60));
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void closeAfter_storeForgot_lost() {
        Lease lease = lock().acquire();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));

        assertThatThrownBy(() -> lease.closeAfter(seconds(60))).isInstanceOf(LockLostException.class);

        runtime.run();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(events(LockEvent.Released.class)).isEmpty();
        storeMayKeepClaims();
    }

    @Test
    void closeAfter_closedOrLost_refused() {
        Lease closed = lock().acquire();
        closed.close();
        assertThatThrownBy(() -> closed.closeAfter(seconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");

        Lease lost =
                engine.lock("a", LockOptions.defaults().fixedLease(seconds(1))).acquire();
        runtime.advance(seconds(2));
        assertThatThrownBy(() -> lost.closeAfter(seconds(1))).isInstanceOf(LockLostException.class);
        storeMayKeepClaims();
    }

    @Test
    void closeAfter_negativeOrTooLong_refusedAndStillHeld() {
        Lease lease = lock().acquire();

        assertThatThrownBy(() -> lease.closeAfter(seconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1s");
        assertThatThrownBy(() -> lease.closeAfter(Duration.ofDays(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("24h");

        assertThat(lease.isValid()).isTrue();
        assertThat(backend.renewals()).isEmpty();
        assertThat(engine.longestCloseAfter()).contains(LockOptions.LONGEST_LEASE);
        lease.close();
    }

    // ---- several, and stores that cannot

    @Test
    void closeAfter_several_allAreKept() {
        MultiLease all = engine.allOf("a", "b").acquire();

        all.closeAfter(seconds(60));

        assertThat(all.isValid()).isFalse();
        assertThat(backend.renewals()).hasSize(2);
        runtime.advance(seconds(59));
        assertThat(backend.releases()).isEmpty();
        runtime.advance(seconds(1));
        assertThat(released()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void closeAfter_severalAndOneFails_allAreClosedAndItIsTold() {
        MultiLease all = engine.allOf("a", "b").acquire();
        backend.nextRenewal(ScriptedBackend.down());

        assertThatThrownBy(() -> all.closeAfter(seconds(60)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'b'");

        assertThat(all.leases()).noneMatch(Lease::isValid);
        runtime.advance(seconds(60));
    }

    @Test
    void closeAfter_claimsEndWithTheClient_refusedAndStillHeld() {
        backend.endsWithClient();
        Lease lease = lock().acquire();
        MultiLease all = engine.allOf("b", "c").acquire();

        assertThat(engine.longestCloseAfter()).isEmpty();
        assertThatThrownBy(() -> lease.closeAfter(seconds(1)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("ends with the client");
        assertThatThrownBy(() -> all.closeAfter(seconds(1))).isInstanceOf(UnsupportedOperationException.class);

        assertThat(lease.isValid()).isTrue();
        assertThat(all.isValid()).isTrue();
        assertThat(backend.renewals()).isEmpty();
        lease.close();
        all.close();
    }

    /** The timer looks at the clocks before it is closed, and acts on what it saw before it is to be kept. */
    @Test
    void closeAfter_ownTimeIsUpWhileItIsClosed_keptAllTheSame() throws Exception {
        for (int looks = 1; looks <= 6; looks++) {
            Lease lease = engine.lock("name " + looks, LockOptions.defaults().maxHold(seconds(5)))
                    .acquire();
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            CompletableFuture<Boolean> goOn = new CompletableFuture<>();
            engine.addListener(event -> {
                if (event instanceof LockEvent.Released && closed.complete(true)) {
                    goOn.join();
                }
            });
            AtomicReference<Actor<Boolean>> closer = new AtomicReference<>();
            atLook(looks, () -> {
                closer.set(Actor.does("closer", () -> {
                    lease.closeAfter(seconds(20));
                    return true;
                }));
                closed.join();
                runtime.jump(seconds(5));
            });

            runtime.stepWall(millis(20)); // so that the timer looks at everything
            runtime.advance(seconds(1));
            goOn.complete(true);

            assertThat(closer.get().result()).isTrue();
            Claim claim = backend.claim(looks - 1);
            assertThat(backend.releasesOf(claim)).as("at look %s", looks).isZero();
            runtime.advance(seconds(21));
            assertThat(backend.releasesOf(claim)).isOne();
        }
    }

    /** Does something at a look that this thread takes at the clock, counted from now. */
    private void atLook(int number, Runnable action) {
        Thread thread = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(number);
        runtime.onNanoTime(() -> {
            if (Thread.currentThread() == thread && left.decrementAndGet() == 0) {
                action.run();
            }
        });
    }
}
