package io.holdfast.tck;

import org.junit.jupiter.api.Nested;

/**
 * Everything a backend must be able to do, as one class to extend. The nested classes are found by JUnit in every subclass; each
 * of them is one contract, which can also be extended alone.
 *
 * <pre>{@code
 * class AcmeContractTest extends BackendContract {
 *     @Override
 *     protected BackendFixture newFixture() {
 *         return new BackendFixture() {
 *             public LockBackend newBackend() {
 *                 return new AcmeBackend("localhost:1234");
 *             }
 *
 *             public void close() {}
 *         };
 *     }
 * }
 * }</pre>
 */
public abstract class BackendContract {

    /** For subclasses. */
    protected BackendContract() {}

    /**
     * Makes the fixture of one test.
     *
     * @return a new fixture; the kit closes it
     * @throws Exception if the store cannot be started, which fails the test
     */
    protected abstract BackendFixture newFixture() throws Exception;

    @Nested
    class Mutex extends MutexContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Reentry extends ReentryContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Lease extends LeaseContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Watchdog extends WatchdogContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Clock extends ClockContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Token extends TokenContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Fairness extends FairnessContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class ReadWrite extends ReadWriteContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Semaphore extends SemaphoreContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class MultiLock extends MultiLockContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Election extends ElectionContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Latch extends LatchContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Interruption extends InterruptionContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Race extends RaceContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Name extends NameContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Argument extends ArgumentContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Event extends EventContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Store extends StoreContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Line extends LineContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Capacity extends CapacityContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Outage extends OutageContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Message extends MessageContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Slowness extends SlownessContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Amnesia extends AmnesiaContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }

    @Nested
    class Inspector extends InspectorContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return BackendContract.this.newFixture();
        }
    }
}
