package io.holdfast.redis.servers;

import io.holdfast.redis.protocol.Slots;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a shard of a guarded cluster answers for, by its mark. A slot that came from another shard is shut for
 * a while: the other one may have forgotten what was held there, which nobody could notice any more. Without slots, the
 * server answers for all keys.
 */
public final class Tenure {
    public static final Tenure ALL = new Tenure(null, List.of());
    static final Tenure NOTHING = new Tenure(new BitSet(), List.of());

    private static final Pattern RANGE = Pattern.compile("(\\d+)-(\\d+)@(\\d+)");

    /**
     * Slots that came from another shard.
     *
     * @param gate until when nothing new is granted there
     * @param metNanos when this client first found them here
     */
    private record Part(int from, int to, Gate gate, long metNanos) {
        boolean has(int slot) {
            return from <= slot && slot <= to;
        }
    }

    private final @Nullable BitSet slots;
    private final List<Part> gained;

    private Tenure(@Nullable BitSet slots, List<Part> gained) {
        this.slots = slots;
        this.gained = gained;
    }

    /**
     * Reads the guard's answer.
     *
     * @param text {@code from-to@until,…} in slots and microseconds of the server
     * @param nowMicros the server's time of the answer
     */
    static Tenure of(String text, long nowMicros, long sentNanos, long receivedNanos, Tenure before) {
        BitSet slots = new BitSet(Slots.COUNT);
        List<Part> gained = new ArrayList<>();
        for (Matcher range = RANGE.matcher(text); range.find(); ) {
            int from = Integer.parseInt(range.group(1));
            int to = Integer.parseInt(range.group(2));
            long until = Long.parseLong(range.group(3));
            slots.set(from, to + 1);
            if (until > nowMicros) {
                Part known = before.part(from);
                Gate gate = (known == null ? Gate.OPEN : known.gate).after(sentNanos, receivedNanos, until - nowMicros);
                gained.add(new Part(from, to, gate, known == null ? receivedNanos : known.metNanos));
            }
        }
        for (Part part : before.gained) { // still shut by this client's clock, whatever the server's says
            if (part.gate.shutNanos(receivedNanos) > 0 && !gained.contains(part)) {
                gained.add(part);
            }
        }
        return new Tenure(slots, gained);
    }

    private @Nullable Part part(int slot) {
        for (Part part : gained) {
            if (part.has(slot)) {
                return part;
            }
        }
        return null;
    }

    /** Whether the server answers for a key. */
    public boolean covers(String key) {
        return slots == null || slots.get(Slots.of(key));
    }

    /** How long from now nothing new is granted for a key. */
    long shutNanos(String key, long nowNanos) {
        long shutNanos = 0;
        int slot = gained.isEmpty() ? 0 : Slots.of(key);
        for (Part part : gained) {
            shutNanos = part.has(slot) ? Math.max(shutNanos, part.gate.shutNanos(nowNanos)) : shutNanos;
        }
        return shutNanos;
    }

    /** When this client first found the key's slot here, if that was recent; else the given time. */
    long metNanos(String key, long otherwiseNanos) {
        Part part = gained.isEmpty() ? null : part(Slots.of(key));
        return part == null ? otherwiseNanos : part.metNanos;
    }
}
