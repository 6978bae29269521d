package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Copies of the gate, the lease and the watchdog's registry, each with one mistake: the checks of the real ones must
 * notice it.
 */
@Tag("integration")
class NegativeControlLincheckTest {

    /** A gate that looks and then enters, without a mutex. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    public static class GateWithoutMutex {
        private volatile int holder = -1;

        @Operation(params = "thread")
        public boolean tryAcquire(int thread) {
            boolean free = holder == -1;
            if (free) {
                holder = thread;
            }
            return free;
        }

        @Operation(params = "thread")
        public boolean close(int thread) {
            boolean own = holder == thread;
            if (own) {
                holder = -1;
            }
            return own;
        }
    }

    /** A lease that looks at its state and then writes it, instead of comparing and setting. */
    public static class LeaseWithoutCompareAndSet {
        private static final int HELD = 0;
        private static final int CLOSED = 1;
        private static final int LOST = 2;

        private final AtomicInteger told = new AtomicInteger();
        private volatile int state = HELD;

        @Operation
        public void close() {
            if (state == HELD) {
                state = CLOSED;
                told.incrementAndGet();
            }
        }

        @Operation
        public void lose() {
            if (state == HELD) {
                state = LOST;
                told.incrementAndGet();
            }
        }

        @Validate
        public void check() {
            if (told.get() > 1) {
                throw new IllegalStateException("ended " + told + " times");
            }
        }
    }

    /** A registry that adds an entry and does not look again whether it is still the current one. */
    @SuppressWarnings("PrimitiveAtomicReference") // small numbers, always the same objects
    public static class RegistryWithoutASecondLook {
        private static final Integer NONE = -1;

        private final AtomicReference<Integer> entry = new AtomicReference<>(0);
        private final ConcurrentSkipListSet<Integer> entries = new ConcurrentSkipListSet<>();
        private volatile boolean forgotten;

        @Operation
        public void schedule() {
            Integer old = entry.get();
            if (!old.equals(NONE) && entry.compareAndSet(old, old + 1)) {
                entries.remove(old);
                entries.add(old + 1);
            }
        }

        @Operation
        public void forget() {
            entries.remove(entry.getAndSet(NONE));
            forgotten = true;
        }

        @Validate
        public void check() {
            if (forgotten && !entries.isEmpty()) {
                throw new IllegalStateException("forgotten, and still there: " + entries);
            }
        }
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    @Test
    void gateWithoutMutex_checked_caught() {
        assertThatThrownBy(() -> options()
                        .sequentialSpecification(GateLincheckTest.Owner.class)
                        .check(GateWithoutMutex.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    @Test
    void leaseWithoutCompareAndSet_checked_caught() {
        assertThatThrownBy(() -> options().check(LeaseWithoutCompareAndSet.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("ended 2 times");
    }

    @Test
    void registryWithoutASecondLook_checked_caught() {
        assertThatThrownBy(() -> options().check(RegistryWithoutASecondLook.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("forgotten, and still there");
    }
}
