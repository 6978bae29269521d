package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Fairness;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread that locks, asks, unlocks and loses in any order, beside the table of the guide: three numbers and what each
 * call makes of them.
 */
class LockViewModelTest extends EngineFixture {
    private static final int STEPS = 60;
    private static final int RUNS = 150;

    /** What the table says of one thread. */
    private static final class Table {
        private int holds;
        private int lostAndNotTold;
        private int lostAndTold;

        private String lock() {
            if (lostAndNotTold > 0) {
                tell();
                return "lost";
            }
            holds++;
            return "true";
        }

        private String unlock() {
            if (holds > 0) {
                holds--;
                return "true";
            }
            tell();
            if (lostAndTold > 0) {
                lostAndTold--;
                return "lost";
            }
            return "not held";
        }

        private String ask() {
            tell();
            return String.valueOf(holds);
        }

        private String lose() {
            lostAndNotTold += holds;
            holds = 0;
            return "true";
        }

        private String closeLease() {
            boolean any = holds + lostAndNotTold + lostAndTold > 0;
            holds = 0;
            return any ? "true" : "not held";
        }

        private void tell() {
            lostAndTold += lostAndNotTold;
            lostAndNotTold = 0;
        }
    }

    /** A call of the lock, and what it came to. */
    private interface Call {
        Object on(DistributedLock lock) throws InterruptedException;
    }

    private static String outcome(DistributedLock lock, Call call) {
        try {
            return String.valueOf(call.on(lock));
        } catch (LockLostException lost) {
            return "lost";
        } catch (IllegalMonitorStateException notHeld) {
            return "not held";
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static boolean locked(DistributedLock lock, int way) throws InterruptedException {
        switch (way) {
            case 0 -> lock.lock();
            case 1 -> lock.lockInterruptibly();
            case 2 -> {
                return lock.tryLock();
            }
            default -> {
                return lock.tryLock(1, TimeUnit.SECONDS);
            }
        }
        return true;
    }

    private Supplier<DistributedLock> opening(int seed) {
        LockOptions fifo = LockOptions.defaults().fairness(Fairness.FIFO);
        String name = "run:" + seed;
        return switch (seed % 4) {
            case 0 -> () -> engine.lock(name);
            case 1 -> () -> engine.lock(name, fifo);
            case 2 -> () -> engine.readWriteLock(name).readLock();
            default -> () -> engine.readWriteLock(name).writeLock();
        };
    }

    private boolean lose() {
        runtime.jump(seconds(31));
        runtime.advance(seconds(1));
        return true;
    }

    private static boolean collect() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        for (int times = 0; times < 100 && !garbage.refersTo(null); times++) {
            System.gc();
        }
        return true;
    }

    private void walk(int seed) {
        Random random = new Random(seed);
        Table table = new Table();
        Supplier<DistributedLock> opening = opening(seed);
        DistributedLock kept = opening.get();
        List<String> trace = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int choice = random.nextInt(20);
            DistributedLock lock = random.nextBoolean() ? kept : opening.get();
            String expected;
            String seen;
            if (choice < 7) {
                int way = random.nextInt(4);
                expected = table.lock();
                seen = outcome(lock, each -> locked(each, way));
            } else if (choice < 14) {
                expected = table.unlock();
                seen = outcome(lock, each -> {
                    each.unlock();
                    return true;
                });
            } else if (choice < 16) {
                expected = table.ask();
                seen = outcome(lock, DistributedLock::holdCount);
            } else if (choice < 17) {
                expected = String.valueOf(!table.ask().equals("0"));
                seen = outcome(lock, DistributedLock::isHeldByCurrentThread);
            } else if (choice < 18) {
                expected = table.closeLease();
                seen = outcome(lock, each -> {
                    each.lease().close();
                    return true;
                });
            } else {
                expected = table.lose();
                seen = String.valueOf(lose());
            }
            trace.add(choice + " -> " + seen);
            assertThat(seen).as("seed %d, %s", seed, trace).isEqualTo(expected);
        }
        while (!table.unlock().equals("not held")) {
            outcome(kept, each -> {
                each.unlock();
                return true;
            });
        }
        assertThat(engine.leftovers()).as("seed %d, everything unlocked", seed).isZero();
    }

    @Test
    void anyOrder_asTheTableSays() {
        storeMayKeepClaims();
        for (int seed = 0; seed < RUNS; seed++) {
            walk(seed);
        }
    }

    /** Nobody keeps the lock, and garbage is collected between any two calls. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void collectedBetweenCalls_asTheTableSays(int seed) {
        storeMayKeepClaims();
        Supplier<DistributedLock> opening = opening(seed);
        Call lock = each -> locked(each, seed);
        Call unlock = each -> {
            each.unlock();
            return true;
        };
        List<String> seen = new ArrayList<>();
        for (Call call : List.of(lock, lock, unlock, each -> lose(), lock, lock, unlock)) {
            collect();
            seen.add(outcome(opening.get(), call));
        }
        collect();

        assertThat(seen).containsExactly("true", "true", "true", "true", "lost", "true", "true");
        assertThat(engine.leftovers()).isZero();
    }
}
