package io.holdfast.torture;

import io.holdfast.testing.redis.FaultProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What happens to some of the clients, whatever keeps their locks. */
final class ClientFaults {
    private final Crew crew;

    ClientFaults(Crew crew) {
        this.crew = crew;
    }

    String pause(Rng rng) {
        return pause(rng, Nemesis.shortOrLong(rng));
    }

    String pause(Rng rng, long millis) {
        List<Integer> some = some(rng);
        List<Thread> pauses = some.stream()
                .map(worker -> crew.workers().get(worker))
                .map(worker -> Threads.start("pause-" + worker, () -> worker.pauseFor(millis)))
                .toList();
        pauses.forEach(Nemesis::join);
        return "workers " + some + " stood still for " + millis + " ms";
    }

    String kill(Rng rng) {
        int worker = rng.below(crew.size());
        crew.replace(worker);
        return "worker " + worker + " killed and replaced";
    }

    /** One worker, two, or all of them. */
    List<Integer> some(Rng rng) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < crew.size(); i++) {
            all.add(i);
        }
        while (all.size() > 1 && rng.chance(60)) {
            all.remove(rng.below(all.size()));
        }
        return all;
    }

    /** Does something to all wires of some workers, for a while. */
    String onWires(Rng rng, String what, long millis, Consumer<FaultProxy> fault) {
        List<Integer> workers = some(rng);
        List<FaultProxy> proxies = proxies(workers);
        proxies.forEach(fault);
        Threads.sleep(millis);
        proxies.forEach(FaultProxy::heal);
        return what + " for workers " + workers + ", " + millis + " ms";
    }

    List<FaultProxy> proxies(List<Integer> workers) {
        return workers.stream().flatMap(worker -> crew.proxies(worker).stream()).toList();
    }
}
