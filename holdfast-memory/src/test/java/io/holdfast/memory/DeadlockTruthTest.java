package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import io.holdfast.testing.ForwardingBackend;
import io.holdfast.testing.ManualRuntime;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Deadlocks against the truth, under virtual time: owners take locks in any order and give up at random, and the test
 * knows who held what and waited for what at every instant. With lost and late records, looks without an answer, pauses
 * and kills, nothing is told that was never true. Without faults, every circle that lasts is told.
 */
class DeadlockTruthTest {
    private static final long TICK_MILLIS = 20;
    private static final long RUN_MILLIS = 60_000;
    private static final int SEEDS = Integer.getInteger("holdfast.deadlock.seeds", 8);

    /** How long a circle may last untold: 6 s, and what a tick is off. */
    private static final long TOLD_MILLIS = 6_000 + 4 * TICK_MILLIS;

    private record Span(String name, long token, long fromMillis, long toMillis) {}

    /** One that takes locks without any order. */
    private static final class Owner {
        final String name;
        final Machine machine;
        final Map<Lease, Long> held = new HashMap<>();
        final List<Span> holds = new ArrayList<>();
        final List<Span> waits = new ArrayList<>();

        @Nullable
        CompletableFuture<Lease> waiting;

        String wanted = "";
        long sinceMillis;
        long nextMillis;

        Owner(String name, Machine machine) {
            this.name = name;
            this.machine = machine;
        }

        void endWait(long nowMillis) {
            waits.add(new Span(wanted, 0, sinceMillis, nowMillis));
            waiting = null;
        }

        void endHolds(long nowMillis) {
            held.forEach((lease, from) -> holds.add(new Span(lease.name(), lease.token(), from, nowMillis)));
            held.clear();
        }

        private boolean was(List<Span> spans, String lock, long token, long atMillis) {
            return spans.stream()
                    .anyMatch(span -> span.name.equals(lock)
                            && (token == 0 || span.token == token)
                            && span.fromMillis <= atMillis
                            && atMillis <= span.toMillis);
        }
    }

    /** One client with its own clocks; it may stand still. */
    private static final class Machine {
        final ManualTime time = new ManualTime();
        final ManualRuntime runtime;
        final LockClient client;
        long pausedUntilMillis;
        long behindMillis;
        boolean killed;

        Machine(MemoryStore store, long seed, boolean faults, List<Late> late) {
            this.runtime = new ManualRuntime(time, seed);
            LockBackend backend = store.connect(time);
            this.client = LockEngine.start(
                    faults ? new Bad(backend, new Random(seed), late) : backend, LockOptions.defaults(), runtime);
        }
    }

    private record Late(long inTicks, Runnable effect) {}

    /** A network that loses or delays records, and does not answer looks. */
    private static final class Bad extends ForwardingBackend {
        private final Random random;
        private final List<Late> late;

        Bad(LockBackend target, Random random, List<Late> late) {
            super(target);
            this.random = random;
            this.late = late;
        }

        @Override
        public void publishWaits(WaitRecord record) {
            int fate = random.nextInt(20);
            if (fate > 2) {
                super.publishWaits(record);
            }
            if (fate == 1) {
                late.add(new Late(1 + random.nextInt(200), () -> super.publishWaits(record)));
            }
            if (fate < 4) {
                throw new IllegalStateException("no answer");
            }
        }

        @Override
        public Optional<String> waitsOf(String clientId) {
            unanswered();
            return super.waitsOf(clientId);
        }

        @Override
        public Optional<ResourceView> inspect(Resource resource) {
            unanswered();
            return super.inspect(resource);
        }

        private void unanswered() {
            if (random.nextInt(20) == 0) {
                throw new IllegalStateException("no answer");
            }
        }
    }

    private final class World {
        private final Random random;
        private final boolean faults;
        private final ManualTime storeTime = new ManualTime();
        private final MemoryStore store = new MemoryStore(storeTime);
        private final List<Machine> machines = new ArrayList<>();
        private final List<Owner> owners = new ArrayList<>();
        private final List<Late> late = new ArrayList<>();
        private final Map<Set<String>, Long> circles = new HashMap<>();
        private final Set<Set<String>> told = new HashSet<>();
        private final List<String> phantoms = new ArrayList<>();
        private final int names;
        private long nowMillis;

        World(long seed, boolean faults) {
            this.random = new Random(seed);
            this.faults = faults;
            this.names = 2 + random.nextInt(4);
            int count = 2 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                Machine machine = new Machine(store, seed * 100 + i, faults, late);
                machine.client.addListener(this::heard);
                machines.add(machine);
            }
            int people = 3 + random.nextInt(5);
            for (int i = 0; i < people; i++) {
                owners.add(new Owner("owner-" + i, machines.get(random.nextInt(count))));
            }
        }

        void run() {
            while (nowMillis < RUN_MILLIS) {
                nowMillis += TICK_MILLIS;
                storeTime.advance(Duration.ofMillis(TICK_MILLIS));
                effects();
                machines.forEach(this::turn);
                owners.forEach(this::act);
                if (!faults) {
                    checkCircles();
                }
            }
            machines.stream().filter(each -> !each.killed).forEach(each -> each.client.close());
            assertThat(phantoms).as("told and never true").isEmpty();
        }

        private void effects() {
            List<Late> due = late.stream().filter(each -> each.inTicks <= 1).toList();
            List<Late> rest = late.stream()
                    .filter(each -> each.inTicks > 1)
                    .map(each -> new Late(each.inTicks - 1, each.effect))
                    .toList();
            late.clear();
            late.addAll(rest);
            due.forEach(each -> each.effect.run());
        }

        private void turn(Machine machine) {
            if (faults && !machine.killed && random.nextInt(2_000) == 0) {
                machine.pausedUntilMillis = nowMillis + random.nextInt(8_000);
            }
            if (faults
                    && random.nextInt(8_000) == 0
                    && machines.stream().filter(each -> !each.killed).count() > 2) {
                machine.killed = true;
                owners.stream().filter(owner -> owner.machine == machine).forEach(owner -> {
                    if (owner.waiting != null) {
                        owner.endWait(nowMillis);
                    }
                    owner.endHolds(nowMillis);
                });
            }
            if (machine.killed) {
                return;
            }
            machine.behindMillis += TICK_MILLIS;
            if (nowMillis >= machine.pausedUntilMillis) {
                long missed = machine.behindMillis;
                machine.behindMillis = 0;
                machine.time.advance(Duration.ofMillis(missed - TICK_MILLIS));
                machine.runtime.advance(Duration.ofMillis(TICK_MILLIS));
            }
        }

        private void act(Owner owner) {
            if (owner.machine.killed || nowMillis < owner.machine.pausedUntilMillis) {
                return;
            }
            owner.held.entrySet().removeIf(each -> lost(owner, each));
            CompletableFuture<Lease> waiting = owner.waiting;
            if (waiting != null && waiting.isDone()) {
                owner.endWait(nowMillis - TICK_MILLIS);
                if (!waiting.isCancelled() && !waiting.isCompletedExceptionally()) {
                    owner.held.put(waiting.join(), nowMillis);
                }
                owner.nextMillis = nowMillis + random.nextInt(1_500);
            } else if (waiting != null && random.nextInt(1_000) == 0) {
                owner.endWait(nowMillis);
                waiting.cancel(true);
                owner.nextMillis = nowMillis + random.nextInt(300);
            } else if (waiting == null && nowMillis >= owner.nextMillis) {
                step(owner);
            }
        }

        private boolean lost(Owner owner, Map.Entry<Lease, Long> each) {
            Lease lease = each.getKey();
            if (!lease.isValid()) {
                owner.holds.add(new Span(lease.name(), lease.token(), each.getValue(), nowMillis));
                return true;
            }
            return false;
        }

        private void step(Owner owner) {
            if (owner.held.size() >= 3 || (!owner.held.isEmpty() && random.nextInt(4) == 0)) {
                List<Lease> leases = List.copyOf(owner.held.keySet());
                owner.endHolds(nowMillis);
                leases.forEach(Lease::close);
                owner.nextMillis = nowMillis + random.nextInt(500);
                return;
            }
            String name = "lock-" + random.nextInt(names);
            if (owner.held.keySet().stream().noneMatch(lease -> lease.name().equals(name))) {
                owner.wanted = name;
                owner.sinceMillis = nowMillis;
                owner.waiting = owner.machine
                        .client
                        .lock(name, LockOptions.defaults().owner(owner.name))
                        .acquireAsync();
            }
        }

        private void heard(LockEvent event) {
            if (event instanceof DeadlockDetected detected) {
                reports++;
                Deadlock deadlock = detected.deadlock();
                Set<String> members = new HashSet<>();
                deadlock.members().forEach(member -> members.add(member.owner()));
                told.add(members);
                if (!wasTrue(deadlock)) {
                    phantoms.add(nowMillis + " ms: " + deadlock);
                }
            }
        }

        private boolean wasTrue(Deadlock deadlock) {
            for (long at = nowMillis; at > 0; at -= TICK_MILLIS) {
                long instant = at;
                if (deadlock.members().stream().allMatch(member -> wasTrue(member, instant))) {
                    return true;
                }
            }
            return false;
        }

        private boolean wasTrue(Deadlock.Member member, long atMillis) {
            Owner owner = owners.stream()
                    .filter(each -> each.name.equals(member.owner()))
                    .findFirst()
                    .orElseThrow();
            boolean waits =
                    owner.waiting != null && owner.wanted.equals(member.name()) && owner.sinceMillis <= atMillis;
            return (waits || owner.was(owner.waits, member.name(), 0, atMillis))
                    && member.holds().stream().allMatch(hold -> holds(owner, hold, atMillis));
        }

        private boolean holds(Owner owner, Deadlock.Hold hold, long atMillis) {
            return owner.held.entrySet().stream()
                            .anyMatch(each -> each.getKey().token() == hold.token()
                                    && each.getKey().name().equals(hold.name())
                                    && each.getValue() <= atMillis)
                    || owner.was(owner.holds, hold.name(), hold.token(), atMillis);
        }

        /** Follows who waits for whom; each waits for one. */
        private void checkCircles() {
            Set<Set<String>> now = new HashSet<>();
            for (Owner start : owners) {
                List<Owner> path = new ArrayList<>();
                Owner next = start;
                while (next != null && !path.contains(next)) {
                    path.add(next);
                    next = holderOfWanted(next);
                }
                if (next == start) {
                    Set<String> circle = new HashSet<>();
                    path.forEach(each -> circle.add(each.name));
                    now.add(circle);
                }
            }
            circles.keySet().retainAll(now);
            told.removeIf(each -> !now.contains(each));
            now.forEach(circle -> {
                long since = circles.computeIfAbsent(circle, none -> nowMillis);
                if (nowMillis - since >= TOLD_MILLIS) {
                    lasting++;
                    assertThat(told)
                            .as("circle since %s at %s", since, nowMillis)
                            .contains(circle);
                }
            });
        }

        private @Nullable Owner holderOfWanted(Owner owner) {
            if (owner.waiting == null || owner.waiting.isDone()) {
                return null;
            }
            return owners.stream()
                    .filter(each -> each.held.keySet().stream()
                            .anyMatch(lease -> lease.name().equals(owner.wanted)))
                    .findFirst()
                    .orElse(null);
        }
    }

    private int reports;
    private long lasting;

    @Test
    void told_withFaults_wasTrueAtSomeInstant() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new World(seed, true).run();
        }
        assertThat(reports).isGreaterThan(SEEDS);
    }

    @Test
    void told_withoutFaults_isEveryCircleThatLasts() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new World(seed, false).run();
        }
        assertThat(lasting).isGreaterThan(SEEDS);
    }
}
