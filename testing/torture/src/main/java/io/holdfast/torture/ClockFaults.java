package io.holdfast.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clocks of the nodes of a quorum that step, leap and drift. */
final class ClockFaults {
    private final QuorumSite site;
    private final Crew crew;
    private final Harms harms;
    private final Amnesia amnesia;

    ClockFaults(QuorumSite site, Crew crew, Harms harms, Amnesia amnesia) {
        this.site = site;
        this.crew = crew;
        this.harms = harms;
        this.amnesia = amnesia;
    }

    String stepWithinMargin(Rng rng) {
        Duration step = Duration.ofMillis(rng.between(1, Nemesis.MARGIN_MILLIS));
        List<Integer> nodes = harms.someNodes(rng, (int) rng.between(1, site.size()));
        nodes.forEach(node -> site.clock(node).step(step));
        Threads.sleep(rng.between(100, 2_000));
        nodes.forEach(node -> site.clock(node).step(step.negated()));
        return "clocks of nodes " + nodes + " set forward by " + step;
    }

    /** Ends when the clocks have caught up with the tokens that they gave. */
    String leap(Rng rng) {
        Duration step = Duration.ofMillis(rng.between(100, 3_500));
        Harms.Harm harm = harms.take(site.some(rng), false, rng);
        harm.nodes().forEach(node -> site.clock(node).step(step));
        Threads.sleep(rng.between(100, 2_000));
        harm.nodes().forEach(node -> site.clock(node).step(step.negated()));
        Threads.sleep(step.toMillis());
        harms.giveBack(harm);
        harms.end(harm);
        return "clocks of nodes " + harm.nodes() + " set forward by " + step;
    }

    /** Setting it right again is a leap forward: nobody holds anything then, or the node is restarted, and waits. */
    Deed stepBack(Rng rng, boolean alone) {
        Duration step = rng.chance(50)
                ? Duration.ofMillis(rng.between(1_000, 30_000))
                : Duration.ofSeconds(rng.between(60, 3_600));
        Harms.Harm harm = harms.take(site.some(rng), true, rng);
        harm.nodes().forEach(node -> site.clock(node).step(step.negated()));
        Threads.sleep(rng.between(100, 5_000));
        boolean quiet = true;
        if (alone && rng.chance(50)) {
            quiet = crew.whileQuiet(
                    () -> harm.nodes().forEach(node -> site.clock(node).step(step)));
        } else {
            harm.nodes().forEach(node -> {
                site.server(node).kill();
                site.clock(node).step(step);
                site.server(node).restart();
            });
        }
        amnesia.opening(harm);
        return new Deed("clocks of nodes " + harm.nodes() + " set back by " + step, !quiet);
    }

    /** Each node at its own rate, up to 0.8 % too fast or too slow, and back at the same rate. */
    String drift(Rng rng) {
        int steps = (int) rng.between(4, 12);
        List<Long> rates = new ArrayList<>();
        for (int node = 0; node < site.size(); node++) {
            rates.add(rng.between(-2_000, 2_000));
        }
        for (int i = 0; i < 2 * steps; i++) {
            int direction = i < steps ? 1 : -1;
            for (int node = 0; node < site.size(); node++) {
                site.clock(node).step(Duration.ofNanos(rates.get(node) * 1_000 * direction));
            }
            Threads.sleep(250);
        }
        return "clocks off by " + rates + " us in each of " + steps + " quarters of a second";
    }
}
