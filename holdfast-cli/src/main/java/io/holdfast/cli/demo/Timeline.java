package io.holdfast.cli.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What happened in one act, in lanes: one for each process. Times are microseconds since the act began. */
final class Timeline {
    /** What a process was about. */
    enum Shade {
        CROWD,
        HELD,
        LEASE_LEFT,
        STOPPED,
        GONE;

        String in(Words words) {
            return words.say("shade." + name().toLowerCase(Locale.ROOT));
        }
    }

    /** What happened at one moment. */
    enum Sign {
        KILL,
        STOP,
        WAKE,
        REFUSAL,
        GRANT,
        WRITE,
        CHECK
    }

    record Span(String lane, Shade shade, long fromMicros, long toMicros) {}

    record Mark(String lane, Sign sign, long atMicros, String text) {}

    private final List<String> lanes;
    private final List<Span> spans = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private final List<Long> sales = new ArrayList<>();
    private long originMicros;
    private long endMicros;
    private int stock;

    Timeline(List<String> lanes, long originMicros) {
        this.lanes = List.copyOf(lanes);
        this.originMicros = originMicros;
    }

    /** Begins here instead, if nothing has been drawn yet: getting ready is not part of the act. */
    void beginAt(long wallMicros) {
        if (spans.isEmpty() && marks.isEmpty() && sales.isEmpty()) {
            originMicros = wallMicros;
        }
    }

    void span(String lane, Shade shade, long fromWallMicros, long toWallMicros) {
        if (toWallMicros > fromWallMicros) {
            spans.add(new Span(lane, shade, since(fromWallMicros), since(toWallMicros)));
        }
    }

    void mark(String lane, Sign sign, long wallMicros, String text) {
        marks.add(new Mark(lane, sign, since(wallMicros), text));
    }

    /** How many vouchers there are to sell. */
    void setStock(int vouchers) {
        stock = vouchers;
    }

    int stock() {
        return stock;
    }

    void sale(long wallMicros) {
        sales.add(since(wallMicros));
    }

    /** Nothing is earlier than the beginning, and the end is where the last thing happened. */
    private long since(long wallMicros) {
        long micros = Math.max(0, wallMicros - originMicros);
        endMicros = Math.max(endMicros, micros);
        return micros;
    }

    long elapsedMicros(long wallMicros) {
        return Math.max(1, wallMicros - originMicros);
    }

    List<String> lanes() {
        return lanes;
    }

    /** Spans of the same kind in a lane that are closer than this become one. Ordered by their beginning. */
    List<Span> spans(long gapMicros) {
        List<Span> merged = new ArrayList<>();
        for (String lane : lanes) {
            for (Shade shade : Shade.values()) {
                merge(lane, shade, gapMicros, merged);
            }
        }
        merged.sort(Comparator.comparingLong(Span::fromMicros));
        return merged;
    }

    private void merge(String lane, Shade shade, long gapMicros, List<Span> merged) {
        List<Span> own = spans.stream()
                .filter(span -> span.lane().equals(lane) && span.shade() == shade)
                .sorted(Comparator.comparingLong(Span::fromMicros))
                .toList();
        int first = merged.size();
        for (Span next : own) {
            int last = merged.size() - 1;
            if (last >= first && next.fromMicros() - merged.get(last).toMicros() <= gapMicros) {
                Span before = merged.get(last);
                long to = Math.max(before.toMicros(), next.toMicros());
                merged.set(last, new Span(lane, shade, before.fromMicros(), to));
            } else {
                merged.add(next);
            }
        }
    }

    /** Returns the marks in the order of time. */
    List<Mark> marks() {
        return marks.stream().sorted(Comparator.comparingLong(Mark::atMicros)).toList();
    }

    /** When each voucher was sold, in order. */
    List<Long> sales() {
        return sales.stream().sorted().toList();
    }

    long endMicros() {
        return endMicros;
    }
}
