package io.holdfast.torture;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All that the workers of a round have written so far. Thread-safe. */
final class History {
    /**
     * A caller that waits behind another one of its client and gives up sooner has had no answer of the store: neither
     * has the other one.
     */
    private static final long LOCAL_NANOS = QuorumSite.NODE_TIMEOUT.toNanos();

    /** The file of one worker process, and what was open when it was last read. */
    private static final class Source {
        private final String worker;
        private final Path file;
        private final Map<String, Opened> held = new HashMap<>();
        private final Map<String, Opened> waiting = new HashMap<>();
        private long offset;
        private long lastAcquiredNanos = Long.MIN_VALUE;
        private boolean closed;

        Source(String worker, Path file) {
            this.worker = worker;
            this.file = file;
        }
    }

    /** Something that has begun. */
    private record Opened(Subject subject, int weight, long token, long startNanos, long untilNanos) {}

    private final List<Source> sources = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private final List<Violation> told = new ArrayList<>();
    private final Map<String, Long> failures = new HashMap<>();
    private final Map<String, List<Wait>> busy = new HashMap<>();
    private long operations;
    private long lost;

    /** A worker that is about to write. */
    synchronized void add(String worker, Path file) {
        sources.add(new Source(worker, file));
    }

    /** Reads what is new. */
    synchronized void read() {
        sources.forEach(this::read);
    }

    private void read(Source source) {
        if (source.closed || !Files.exists(source.file)) {
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(source.file.toFile(), "r")) {
            file.seek(source.offset);
            byte[] bytes = new byte[(int) Math.min(file.length() - source.offset, 1 << 24)];
            file.readFully(bytes);
            int start = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    take(source, new String(bytes, start, i - start, StandardCharsets.UTF_8));
                    start = i + 1;
                }
            }
            source.offset += start;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(Source source, String line) {
        String[] words = line.split(" ", 7);
        long nanos = Long.parseLong(words[1]);
        switch (words[0]) {
            case "W" ->
                source.waiting.put(words[2], new Opened(Subject.valueOf(words[3]), 0, 0, nanos, Long.MAX_VALUE));
            case "N" -> {
                failures.merge(words[4], 1L, Long::sum);
                Wait wait = waited(source, words[2], nanos);
                if (wait != null && words[4].equals("busy") && !isLocal(source, wait)) {
                    busy.computeIfAbsent(source.worker, fresh -> new ArrayList<>())
                            .add(wait);
                }
            }
            case "A" -> acquired(source, words, nanos);
            case "E" -> ended(source, words[2], nanos);
            case "S" ->
                told.add(new Violation(
                        Rule.TOKEN_ORDER,
                        nanos,
                        "a valid lease of " + source.worker + " on " + words[3] + " with token " + words[4]
                                + " was refused by the fence"));
            case "L" -> told.add(new Violation(Rule.LOCK_VIEW, nanos, source.worker + ": " + line));
            case "T" -> told.add(new Violation(Rule.COUNTS, nanos, source.worker + ": " + line));
            case "C" -> {
                source.closed = true;
                lost += Long.parseLong(words[4]);
            }
            default -> throw new IllegalStateException("not understood: " + line);
        }
    }

    /** Was somebody of the same client before it, so that the answer came from there? */
    private static boolean isLocal(Source source, Wait wait) {
        return wait.endNanos() - wait.startNanos() < LOCAL_NANOS
                && source.waiting.values().stream()
                        .anyMatch(other -> other.subject == wait.subject() && other.startNanos < wait.startNanos());
    }

    private void acquired(Source source, String[] words, long nanos) {
        operations++;
        source.lastAcquiredNanos = nanos;
        waited(source, words[2], nanos);
        String[] rest = words[6].split(" ", -1);
        source.held.put(
                words[2],
                new Opened(
                        Subject.valueOf(words[3]),
                        Integer.parseInt(words[4]),
                        Long.parseLong(words[5]),
                        nanos,
                        Long.parseLong(rest[0])));
    }

    private @Nullable Wait waited(Source source, String thread, long nanos) {
        Opened begun = source.waiting.remove(thread);
        if (begun == null) {
            return null;
        }
        Wait wait = new Wait(begun.subject, source.worker, begun.startNanos, nanos);
        waits.add(wait);
        return wait;
    }

    private void ended(Source source, String thread, long nanos) {
        Opened begun = source.held.remove(thread);
        if (begun == null) {
            throw new IllegalStateException(source.worker + " gave back what it did not hold");
        }
        holds.add(new Hold(begun.subject, source.worker, begun.weight, begun.token, begun.startNanos, nanos));
    }

    /** The worker is dead: what it held ended then, or at the deadline that it had written down. */
    synchronized void killed(String worker, long atNanos) {
        for (Source source : sources) {
            if (source.worker.equals(worker)) {
                read(source);
                source.closed = true;
                source.held.values().forEach(held -> {
                    long endNanos = Math.max(held.startNanos, Math.min(held.untilNanos, atNanos));
                    holds.add(new Hold(held.subject, worker, held.weight, held.token, held.startNanos, endNanos));
                });
                source.held.clear();
                List.copyOf(source.waiting.keySet()).forEach(thread -> waited(source, thread, atNanos));
            }
        }
    }

    /** Who has held the subject for that long, and does still. */
    synchronized Optional<String> holder(Subject subject, Duration atLeast) {
        long sinceNanos = System.nanoTime() - atLeast.toNanos();
        return sources.stream()
                .filter(source -> !source.closed
                        && source.held.values().stream()
                                .anyMatch(held -> held.subject == subject && held.startNanos < sinceNanos))
                .map(source -> source.worker)
                .findFirst();
    }

    /** Has anybody been given the subject since then? */
    synchronized boolean wasTaken(Subject subject, long sinceNanos) {
        return sources.stream()
                        .flatMap(source -> source.held.values().stream())
                        .anyMatch(held -> held.subject == subject && held.startNanos - sinceNanos > 0)
                || holds.stream().anyMatch(hold -> hold.subject() == subject && hold.startNanos() - sinceNanos > 0);
    }

    /** What was handed out at that time of what is served by the server alone, and never passed on inside a client. */
    synchronized List<String> granted(Period when) {
        Stream<String> open = sources.stream()
                .flatMap(source -> source.held.values().stream())
                .filter(held -> held.subject.isServedByTheServer() && when.has(held.startNanos))
                .map(held -> held.subject + " at " + held.startNanos);
        Stream<String> over = holds.stream()
                .filter(hold -> hold.subject().isServedByTheServer() && when.has(hold.startNanos()))
                .map(Hold::toString);
        return Stream.concat(open, over).toList();
    }

    /** When the worker last had a lease handed out. */
    synchronized long lastAcquiredNanos(String worker) {
        return sources.stream()
                .filter(source -> source.worker.equals(worker))
                .mapToLong(source -> source.lastAcquiredNanos)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Was a lease handed out to the worker at that time? */
    synchronized boolean hasAcquired(String worker, Period when) {
        return sources.stream()
                        .filter(source -> source.worker.equals(worker))
                        .anyMatch(source -> when.has(source.lastAcquiredNanos)
                                || source.held.values().stream().anyMatch(held -> when.has(held.startNanos)))
                || holds.stream().anyMatch(hold -> hold.worker().equals(worker) && when.has(hold.startNanos()));
    }

    /** What a worker asked for and was told, both at that time, that somebody else has it. */
    synchronized List<String> busy(String worker, Period when) {
        return busy.getOrDefault(worker, List.of()).stream()
                .filter(wait -> when.has(wait.startNanos()) && when.has(wait.endNanos()))
                .map(wait -> wait.subject() + " from " + wait.startNanos() + " to " + wait.endNanos())
                .toList();
    }

    /** Did the worker close its client and write its counts? */
    synchronized boolean isClosed(String worker) {
        return sources.stream().anyMatch(source -> source.worker.equals(worker) && source.closed);
    }

    synchronized List<Hold> holds() {
        return List.copyOf(holds);
    }

    synchronized List<Wait> waits() {
        return List.copyOf(waits);
    }

    /** What workers complained of themselves. */
    synchronized List<Violation> told() {
        return List.copyOf(told);
    }

    /** Leases handed out. */
    synchronized long operations() {
        return operations;
    }

    /** Leases lost, of the clients that were closed. */
    synchronized long lost() {
        return lost;
    }

    /** How often nothing was handed out, by the reason. */
    synchronized Map<String, Long> failures() {
        return Map.copyOf(failures);
    }
}
