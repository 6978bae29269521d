package io.holdfast.torture;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a round, or a whole run, came to. Thread-safe. */
final class Tally {

    /** What is known of one kind of fault. */
    static final class Line {
        private long count;
        private long slowestFirstNanos;
        private long slowestAllNanos;
        private long documented;

        long count() {
            return count;
        }

        long slowestFirstNanos() {
            return slowestFirstNanos;
        }

        long slowestAllNanos() {
            return slowestAllNanos;
        }

        long documented() {
            return documented;
        }
    }

    private final Map<Fault, Line> lines = new EnumMap<>(Fault.class);
    private final Map<Rule, Long> documented = new EnumMap<>(Rule.class);
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Long> failures = new TreeMap<>();
    private final List<String> remarks = new ArrayList<>();
    private long operations;
    private long fencedWrites;
    private long refusedWrites;
    private long lostWithoutFence;
    private long lostLeases;
    private long samples;
    private long rounds;

    private Line line(Fault fault) {
        return lines.computeIfAbsent(fault, fresh -> new Line());
    }

    synchronized void injected(Injection injection) {
        Line line = line(injection.fault());
        line.count++;
        line.slowestFirstNanos = Math.max(line.slowestFirstNanos, injection.firstAfterNanos());
        line.slowestAllNanos = Math.max(line.slowestAllNanos, injection.recoveryNanos());
    }

    synchronized void violated(String where, Violation violation) {
        violations.add(where + ": " + violation.rule() + " at " + violation.atNanos() + ": " + violation.text());
    }

    /** Broken, and the documentation says so. */
    synchronized void excused(Fault fault, Violation violation) {
        line(fault).documented++;
        documented.merge(violation.rule(), 1L, Long::sum);
    }

    /** Something to be said about the round. */
    synchronized void remark(String text) {
        remarks.add(text);
    }

    synchronized List<String> remarks() {
        return List.copyOf(remarks);
    }

    synchronized void round(History history, FencedStore store, LeakChecker leaks) {
        rounds++;
        operations += history.operations();
        lostLeases += history.lost();
        history.failures().forEach((why, count) -> failures.merge(why, count, Long::sum));
        fencedWrites += store.accepted();
        refusedWrites += store.refused();
        lostWithoutFence += store.lostWithoutFence();
        samples += leaks.looks();
    }

    synchronized void add(Tally other) {
        synchronized (other) {
            other.lines.forEach((fault, theirs) -> {
                Line mine = line(fault);
                mine.count += theirs.count;
                mine.documented += theirs.documented;
                mine.slowestFirstNanos = Math.max(mine.slowestFirstNanos, theirs.slowestFirstNanos);
                mine.slowestAllNanos = Math.max(mine.slowestAllNanos, theirs.slowestAllNanos);
            });
            other.documented.forEach((rule, count) -> documented.merge(rule, count, Long::sum));
            other.failures.forEach((why, count) -> failures.merge(why, count, Long::sum));
            violations.addAll(other.violations);
            operations += other.operations;
            fencedWrites += other.fencedWrites;
            refusedWrites += other.refusedWrites;
            lostWithoutFence += other.lostWithoutFence;
            lostLeases += other.lostLeases;
            samples += other.samples;
            rounds += other.rounds;
        }
    }

    synchronized Map<Fault, Line> lines() {
        return Map.copyOf(lines);
    }

    synchronized Map<Rule, Long> documented() {
        return documented.isEmpty() ? Map.of() : new EnumMap<>(documented);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }

    synchronized long faults() {
        // A mix is counted by its parts.
        return lines.entrySet().stream()
                .filter(line -> line.getKey() != Fault.MIX)
                .mapToLong(line -> line.getValue().count)
                .sum();
    }

    synchronized long operations() {
        return operations;
    }

    synchronized long fencedWrites() {
        return fencedWrites;
    }

    synchronized long refusedWrites() {
        return refusedWrites;
    }

    synchronized long lostWithoutFence() {
        return lostWithoutFence;
    }

    synchronized long lostLeases() {
        return lostLeases;
    }

    synchronized long samples() {
        return samples;
    }

    synchronized long rounds() {
        return rounds;
    }
}
