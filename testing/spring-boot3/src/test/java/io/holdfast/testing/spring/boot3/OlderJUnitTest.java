package io.holdfast.testing.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.engine.LockEngine;
import io.holdfast.memory.MemoryStore;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import io.holdfast.testing.FaultScript;
import io.holdfast.testing.FaultyBackend;
import io.holdfast.testing.ManualRuntime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@code holdfast-testing} in a project whose tests run on JUnit 5, as those of Boot 3.5 do. */
class OlderJUnitTest {

    @Test
    void junit_thatRunsThis_isTheOneOfTheProject() {
        String jar = Path.of(Test.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .getFileName()
                .toString();

        assertThat(jar).startsWith("junit-jupiter-api-5.");
    }

    @Test
    void renewals_thatDoNotGetThrough_endInALoss() {
        ManualRuntime runtime = new ManualRuntime();
        FaultScript faults = new FaultScript();
        MemoryStore store = new MemoryStore(runtime.time());
        FaultyBackend wire =
                new FaultyBackend(store.connect(), faults, (task, delay) -> runtime.schedule(task, delay.toNanos()));
        try (LockClient locks = LockEngine.start(wire, LockOptions.defaults(), runtime)) {
            Lease lease = locks.lock("order:42").acquire();
            faults.always(Call.Renew.class, new Fault.Down());
            runtime.advance(Duration.ofMinutes(1));

            assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LostReason.STORE_UNREACHABLE);
        }
    }
}
