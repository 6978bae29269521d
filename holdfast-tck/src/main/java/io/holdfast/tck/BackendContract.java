package io.holdfast.tck;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Everything a backend must be able to do, as one class to extend. The nested classes are found by JUnit in every
 * subclass; each of them is one contract, which can also be extended alone. Where JUnit is told to run tests in
 * parallel, contracts run beside each other: their tests wait more than they work. A fixture whose
 * {@code forgetEverything} reaches further than its own locks must not be used so.
 *
 * <pre>{@code
 * class AcmeContractTest extends BackendContract {
 *     @Override
 *     protected BackendFixture newFixture() {
 *         return new BackendFixture() {
 *             public LockBackend newBackend(TimeSource clocks) {
 *                 return new AcmeBackend("localhost:1234", clocks);
 *             }
 *
 *             public void close() {}
 *         };
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public abstract class BackendContract extends FixtureSource {

    /** For subclasses. */
    protected BackendContract() {}

    /**
     * Makes the fixture of one test.
     *
     * @return a new fixture; the kit closes it
     * @throws Exception if the store cannot be started, which fails the test
     */
    @Override
    protected abstract BackendFixture newFixture() throws Exception;

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Mutex extends MutexContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Work extends WorkContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Reentry extends ReentryContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class LockView extends LockViewContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class LostHold extends LostHoldContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Lease extends LeaseContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Watchdog extends WatchdogContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Clock extends ClockContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Skew extends SkewContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Token extends TokenContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Fairness extends FairnessContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Sharing extends SharingContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class ReadWrite extends ReadWriteContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Semaphore extends SemaphoreContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class MultiLock extends MultiLockContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Election extends ElectionContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Latch extends LatchContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Interruption extends InterruptionContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Race extends RaceContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Close extends CloseContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class CloseAfter extends CloseAfterContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Name extends NameContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Argument extends ArgumentContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Event extends EventContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Store extends StoreContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Line extends LineContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Capacity extends CapacityContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Outage extends OutageContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Message extends MessageContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Slowness extends SlownessContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Wire extends WireContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Burst extends BurstContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Amnesia extends AmnesiaContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Deadlock extends DeadlockContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class DeadlockEnd extends DeadlockEndContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Inspector extends InspectorContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }
}
