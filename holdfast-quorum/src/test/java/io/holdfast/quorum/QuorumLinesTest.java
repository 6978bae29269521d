package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.memory.MemoryStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What others see of threads that share a lock inside one client of a quorum. */
class QuorumLinesTest {

    @Test
    void find_threadsBehindTheirOwnClient_othersSeeHowMany() {
        List<MemoryStore> stores = Stream.generate(MemoryStore::new).limit(3).toList();
        LockOptions labelled = LockOptions.defaults().label("holder");
        try (LockClient locks = QuorumLocks.over(
                        stores.stream().map(MemoryStore::connect).toList(), labelled);
                LockClient operator = QuorumLocks.over(
                        stores.stream().map(MemoryStore::connect).toList());
                Lease lease = locks.lock("busy").acquire()) {
            locks.lock("busy").acquireAsync();
            locks.lock("busy").acquireAsync();

            LockStatus status = operator.inspector().find(LockKind.LOCK, "busy").orElseThrow();

            assertThat(lease.isValid()).isTrue();
            assertThat(status.holders())
                    .extracting(LockStatus.Holder::label)
                    .containsExactly("holder, one of 3 threads");
            assertThat(status.waiting()).isEqualTo(2);
        }
    }
}
