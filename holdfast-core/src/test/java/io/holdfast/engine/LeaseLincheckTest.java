package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a lease under every interleaving: released or lost, never both, and every callback exactly once. */
@Tag("integration")
class LeaseLincheckTest {
    /** The interleavings of the JDK's logging are not of interest, and there are more of them than of ours. */
    private static final Logger LOG = Logger.getLogger(LeaseLog.NAME);

    private static final Level BEFORE = LOG.getLevel();

    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(BEFORE);
    }

    public static class Ends {
        private final Lease lease;
        private final Endings endings;
        private final StoreGrant grant;
        private final AtomicInteger released = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private final AtomicInteger registered = new AtomicInteger();
        private final ConcurrentLinkedQueue<LostReason> told = new ConcurrentLinkedQueue<>();
        private volatile boolean ended;

        public Ends() {
            EngineParts parts = new EngineParts("client", new GrantingBackend(), new InlineRuntime());
            parts.events.add(event -> {
                if (event instanceof LockEvent.Released) {
                    released.incrementAndGet();
                } else if (event instanceof LockEvent.Lost) {
                    lost.incrementAndGet();
                }
            });
            LocalLock local = new LocalLock(parts.gates, new Resource(LockKind.LOCK, "a", 1));
            lease = EngineLock.mutex(parts.acquisitions, local, LockOptions.defaults())
                    .acquire();
            StoreGrant[] found = new StoreGrant[1];
            parts.watched.forEach(each -> found[0] = each);
            grant = found[0];
            endings = parts.endings;
        }

        @Operation
        public void close() {
            lease.close();
            ended = true;
        }

        @Operation
        public void forgotten() {
            endings.lose(grant, LostReason.FORGOTTEN);
            ended = true;
        }

        @Operation
        public void expired() {
            endings.lose(grant, LostReason.EXPIRED);
            ended = true;
        }

        @Operation
        public void onLost() {
            registered.incrementAndGet();
            lease.onLost(told::add);
        }

        Collection<LostReason> told() {
            return told;
        }

        @Validate
        public void check() {
            int ends = released.get() + lost.get();
            if (ends != (ended ? 1 : 0) || lease.isValid() == ended) {
                throw new IllegalStateException("released " + released + ", lost " + lost + ", ended " + ended);
            }
            if (told.size() != (lost.get() == 1 ? registered.get() : 0)) {
                throw new IllegalStateException("told " + told + ", registered " + registered + ", lost " + lost);
            }
            if (lost.get() == 1) {
                checkOneReason();
            }
        }

        private void checkOneReason() {
            try {
                lease.ensureValid();
                throw new IllegalStateException("lost, and valid");
            } catch (LockLostException why) {
                if (told.stream().anyMatch(reason -> reason != why.reason())) {
                    throw new IllegalStateException("told " + told + ", says " + why.reason());
                }
            }
        }
    }

    @Test
    void closeLoseRegister_everyInterleaving_oneEndAndEveryCallbackOnce() {
        options().check(Ends.class);
    }

    private static ModelCheckingOptions options() {
        return Lincheck.options()
                .iterations(5)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(0);
    }

    /** A lease is made of a grant that is being lost. */
    public static class Beginnings {
        private final EngineParts parts = new EngineParts("client", new GrantingBackend(), new InlineRuntime());
        private final StoreGrant grant = WatchdogLincheckTest.grant(parts);
        private final AtomicInteger told = new AtomicInteger();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile EngineLease lease;
        private volatile boolean lost;

        public Beginnings() {
            parts.events.add(event -> told.incrementAndGet());
            parts.watched.watch(grant);
        }

        @Operation
        public void take() {
            if (asked.incrementAndGet() == 1) {
                Request request = new Request(LockOptions.defaults(), 1, "test", null, 0, 0);
                lease = parts.gates.leases().take(grant, request);
            }
        }

        @Operation
        public void lose() {
            parts.endings.lose(grant, LostReason.FORGOTTEN);
            lost = true;
        }

        @Validate
        public void check() {
            int expected = lease != null && lost ? 1 : 0;
            if (told.get() != expected) {
                throw new IllegalStateException("told " + told + " losses of " + lease);
            }
        }
    }

    /** Each of two threads does one thing. */
    private static ModelCheckingOptions oneEach() {
        return Lincheck.options()
                .iterations(4)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0);
    }

    @Test
    void takeLose_everyInterleaving_aLossIsToldOfWhatWasHandedOut() {
        oneEach().check(Beginnings.class);
    }

    /** Two threads extend a lease of five seconds. */
    public static class Extensions {
        private final Lease lease;
        private final AtomicInteger longest = new AtomicInteger();

        public Extensions() {
            EngineParts parts = new EngineParts("client", new GrantingBackend(), new InlineRuntime());
            LocalLock local = new LocalLock(parts.gates, new Resource(LockKind.LOCK, "a", 1));
            LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
            lease = EngineLock.mutex(parts.acquisitions, local, fixed).acquire();
        }

        @Operation
        public void shortly() {
            extend(10);
        }

        @Operation
        public void forLong() {
            extend(60);
        }

        private void extend(int seconds) {
            lease.extend(Duration.ofSeconds(seconds));
            longest.accumulateAndGet(seconds, Math::max);
        }

        @Validate
        public void check() {
            Duration least = Duration.ofSeconds(longest.get()).multipliedBy(9).dividedBy(10);
            if (lease.remaining().compareTo(least) < 0) {
                throw new IllegalStateException("extended by " + longest + " s, " + lease);
            }
        }
    }

    @Test
    void extend_everyInterleaving_nothingIsMadeShorter() {
        oneEach().check(Extensions.class);
    }
}
