package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryLocksTest {
    private static final LockOptions SHORT = LockOptions.defaults().lease(Duration.ofSeconds(5));

    @Test
    void create_twice_givesTwoStores() {
        try (LockClient one = MemoryLocks.create();
                LockClient other = MemoryLocks.create();
                Lease lease = one.lock("name").acquire();
                Lease another = other.lock("name").acquire()) {
            assertThat(lease.isValid() && another.isValid()).isTrue();
        }
    }

    @Test
    void connect_twoClientsOfOneStore_compete() {
        MemoryStore store = new MemoryStore();
        try (LockClient one = MemoryLocks.connect(store);
                LockClient other = MemoryLocks.connect(store)) {
            Lease lease = one.lock("name").acquire();
            assertThat(other.lock("name").tryAcquire()).isEmpty();
            lease.close();
            assertThat(other.lock("name").tryAcquire())
                    .hasValueSatisfying(next -> assertThat(next.token()).isGreaterThan(lease.token()));
        }
    }

    @Test
    void connect_clientCloses_theOtherIsServed() {
        MemoryStore store = new MemoryStore();
        try (LockClient other = MemoryLocks.connect(store)) {
            LockClient one = MemoryLocks.connect(store);
            one.lock("name").acquire();
            one.close();
            assertThat(other.lock("name").tryAcquire()).isPresent();
        }
    }

    @Test
    void breakClaim_byAnotherClient_theHolderIsToldAtOnce() throws Exception {
        MemoryStore store = new MemoryStore();
        LockOptions notRenewedSoon = LockOptions.defaults().lease(LockOptions.LONGEST_LEASE);
        try (LockClient one = MemoryLocks.connect(store, notRenewedSoon);
                LockClient other = MemoryLocks.connect(store)) {
            CompletableFuture<LostReason> told = new CompletableFuture<>();
            one.lock("name").acquire().onLost(told::complete);
            LockStatus lock = other.inspector().find(LockKind.LOCK, "name").orElseThrow();

            other.inspector().breakClaim(lock, lock.holders().get(0));

            assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo(LostReason.FORGOTTEN);
        }
    }

    @Test
    void create_withDefaults_holdsAsTheySay() {
        try (LockClient locks = MemoryLocks.create(SHORT);
                Lease lease = locks.lock("name").acquire()) {
            assertThat(lease.remaining()).isLessThanOrEqualTo(SHORT.lease());
        }
    }

    @Test
    void connect_withDefaults_holdsAsTheySay() {
        try (LockClient locks = MemoryLocks.connect(new MemoryStore(), SHORT);
                Lease lease = locks.lock("name").acquire()) {
            assertThat(lease.remaining()).isLessThanOrEqualTo(SHORT.lease());
        }
    }
}
