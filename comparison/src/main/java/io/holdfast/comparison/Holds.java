package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Sections that a worker stays in, all entered by the thread that asks. */
final class Holds {
    private final Peer peer;
    private final List<Peer.Section> held = new ArrayList<>();

    Holds(Peer peer) {
        this.peer = peer;
    }

    Measured hold(Task task) throws Exception {
        Histogram waits = Measured.newHistogram();
        for (int i = 0; i < task.threads(); i++) {
            Peer.Section section = peer.mutex(task.name() + "-" + i);
            long before = System.nanoTime();
            section.enter();
            Measured.record(waits, System.nanoTime() - before);
            held.add(section);
        }
        return new Measured(task.threads(), task.threads(), 0, 0, Usage.now(), waits);
    }

    String leave() throws Exception {
        for (Peer.Section section : held) {
            section.exit();
        }
        held.clear();
        return "";
    }
}
