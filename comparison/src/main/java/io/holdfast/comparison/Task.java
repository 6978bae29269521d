package io.holdfast.comparison;

import java.util.List;

/**
 * One worker's part of one round. Instants are those of {@link System#nanoTime}, which all processes of a machine share
 * on Linux.
 *
 * @param name of the lock, or what the names of many begin with
 * @param countNanos from when it counts: at the start of a round all arrive at once, and connections are made
 * @param insideNanos how long to stay inside: not at all while it is measured, but two that are inside for no time
 *     hardly ever meet
 * @param worker which of the round's JVMs this is, from 1
 */
record Task(
        Workload workload,
        String name,
        int worker,
        int threads,
        long startNanos,
        long countNanos,
        long stopNanos,
        long insideNanos) {

    String encode() {
        return String.join(
                " ",
                workload.name(),
                name,
                Integer.toString(worker),
                Integer.toString(threads),
                Long.toString(startNanos),
                Long.toString(countNanos),
                Long.toString(stopNanos),
                Long.toString(insideNanos));
    }

    static Task decode(List<String> words) {
        return new Task(
                Workload.valueOf(words.get(0)),
                words.get(1),
                Integer.parseInt(words.get(2)),
                Integer.parseInt(words.get(3)),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(5)),
                Long.parseLong(words.get(6)),
                Long.parseLong(words.get(7)));
    }
}
