package io.holdfast.redis.lettuce;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Any reply as the port wants it: a number, bytes, a list of replies, or null. */
final class RawReply extends CommandOutput<byte[], byte[], @Nullable Object> {
    /** A list that is not complete. */
    private record Open(List<@Nullable Object> items, int size) {}

    private final Deque<Open> open = new ArrayDeque<>();

    RawReply() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        byte @Nullable [] copy = null;
        if (bytes != null) {
            copy = new byte[bytes.remaining()];
            bytes.get(copy);
        }
        add(copy);
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    @Override
    public void multi(int count) {
        if (count > 0) {
            open.push(new Open(new ArrayList<>(count), count));
        } else {
            add(count < 0 ? null : List.of());
        }
    }

    private void add(@Nullable Object item) {
        Object value = item;
        for (Open last = open.peek(); last != null; last = open.peek()) {
            last.items.add(value);
            if (last.items.size() < last.size) {
                return;
            }
            value = last.items;
            open.pop();
        }
        output = value;
    }
}
