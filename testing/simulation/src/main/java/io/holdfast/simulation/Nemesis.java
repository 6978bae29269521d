package io.holdfast.simulation;

import io.holdfast.memory.MemoryStore;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes machines and the store fail at times that were drawn beforehand. Requests and messages are the
 * {@link Network}'s affair.
 */
final class Nemesis {
    private final SimWorld world;
    private final Network network;
    private final MemoryStore store;
    private final SimClocks storeClocks;
    private final Stats stats;
    private final Rng rng;
    private final List<SimClient> clients;
    private final Sabotage sabotage;
    private final long longestPauseNanos;
    private final Runnable newClient;
    private boolean forgotten;
    private long sleptNanos;

    Nemesis(
            SimBackend.Setting setting,
            MemoryStore store,
            SimClocks storeClocks,
            List<SimClient> clients,
            long leaseNanos,
            Runnable newClient) {
        this.world = setting.world();
        this.network = setting.network();
        this.stats = setting.stats();
        this.sabotage = setting.sabotage();
        this.rng = Rng.of(setting.seed(), 41, 0);
        this.store = store;
        this.storeClocks = storeClocks;
        this.clients = clients;
        this.longestPauseNanos = leaseNanos * 8 / 5;
        this.newClient = newClient;
    }

    /** Draws everything that will happen until then. */
    void plan(Profile profile, long untilNanos) {
        boolean asleep = sabotage == Sabotage.SLEEP_AND_SET_BACK;
        some(profile.machine().pauses(), untilNanos, this::pause);
        some(asleep ? 6 : profile.machine().suspends(), untilNanos, this::suspend);
        some(asleep ? 0 : profile.machine().wallSteps(), untilNanos, this::setWallClock);
        some(profile.wire().cuts(), untilNanos, this::cut);
        some(profile.ends().ends(), untilNanos, this::end);
        some(profile.ends().downs(), untilNanos, client -> down());
        some(profile.ends().stalls(), untilNanos, client -> stallStore());
        some(profile.ends().stalls(), untilNanos, client -> setStoreClock());
        some(profile.ends().restarts(), untilNanos, client -> restart(false));
        some(profile.ends().forgets(), untilNanos, client -> restart(true));
    }

    private void some(int most, long untilNanos, Consumer<SimClient> fault) {
        int count = rng.below(most + 1);
        for (int i = 0; i < count; i++) {
            world.post(null, rng.below(untilNanos), () -> strike(fault));
        }
    }

    private void strike(Consumer<SimClient> fault) {
        List<SimClient> alive = clients.stream().filter(SimClient::isAlive).toList();
        if (!alive.isEmpty() && stats.isFaulty()) {
            fault.accept(rng.pick(alive));
        }
    }

    private long pauseNanos() {
        return rng.chance(5_000)
                ? rng.between(SimWorld.MILLI, 100 * SimWorld.MILLI)
                : rng.between(SimWorld.MILLI, longestPauseNanos);
    }

    private void pause(SimClient client) {
        if (!client.process().isPaused()) {
            stats.count(FaultKind.PAUSE);
            client.process().pause(pauseNanos());
        }
    }

    /**
     * Puts a machine to sleep. Only those with an even number sleep, and only the others have their wall clock set
     * back: no clock of a machine to which both happen knows what time it is, and nothing is promised for it.
     */
    private void suspend(SimClient client) {
        if (client.process().isPaused() || client.process().index() % 2 != 0) {
            return;
        }
        stats.count(FaultKind.SUSPEND);
        long nanos = pauseNanos();
        sleptNanos += nanos;
        if (sabotage == Sabotage.SLEEP_AND_SET_BACK) {
            client.process().clocks().set(-60_000);
        }
        client.process().suspend(nanos);
    }

    private void setWallClock(SimClient client) {
        stats.count(FaultKind.WALL_STEP);
        long millis = rng.between(1, rng.chance(5_000) ? 500 : 60_000);
        boolean back = client.process().index() % 2 != 0 && rng.chance(5_000);
        world.trace(client.name(), "has its wall clock set by " + (back ? -millis : millis) + " ms");
        client.process().clocks().set(back ? -millis : millis);
    }

    private void cut(SimClient client) {
        long nanos = rng.between(10 * SimWorld.MILLI, 3 * SimWorld.SECOND);
        world.trace(client.name(), "is cut off");
        network.cut(client.process(), nanos);
    }

    private void end(SimClient client) {
        if (rng.chance(5_000)) {
            stats.count(FaultKind.KILL);
            client.kill();
        } else {
            stats.count(FaultKind.CLOSE);
            world.post(client.process(), world.now(), 0, true, client::close);
        }
        if (rng.chance(7_000)) {
            world.post(null, world.now() + rng.below(SimWorld.SECOND), newClient);
        }
    }

    private void down() {
        stats.count(FaultKind.STORE_DOWN);
        world.trace("store", "is down");
        network.down(rng.between(10 * SimWorld.MILLI, 2 * SimWorld.SECOND));
    }

    private void stallStore() {
        stats.count(FaultKind.STORE_STALL);
        world.trace("store", "stops for a while");
        network.stall(rng.between(SimWorld.MILLI, 1_500 * SimWorld.MILLI));
    }

    /** Its wall clock only makes tokens; leases are counted on the other. */
    private void setStoreClock() {
        stats.count(FaultKind.STORE_CLOCK_SET);
        long millis = rng.between(-3_600_000, 60_000);
        world.trace("store", "has its wall clock set by " + millis + " ms");
        storeClocks.set(millis);
    }

    private void restart(boolean forget) {
        stats.count(forget ? FaultKind.STORE_FORGETS : FaultKind.STORE_RESTART);
        world.trace("store", forget ? "restarts and forgets" : "restarts");
        forgotten |= forget;
        store.restart(forget);
    }

    /**
     * How long machines slept, all together. A wait that was counted on a clock that stood still ends that much later.
     */
    long sleptNanos() {
        return sleptNanos;
    }

    boolean hasForgotten() {
        return forgotten;
    }
}
