package io.holdfast.testing.redis;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a proxied connection: one thread reads and notes when each frame came, another sends it on when its
 * time has come. Frames under way are delayed side by side, as on a long wire, not one after the other.
 */
final class ProxyLane {
    /** What becomes of the frames. */
    interface Gate {
        /** Looks at a frame as soon as it has been read. */
        default void arrived(RespFrame frame) {}

        /** May the frame go on? May take its time. */
        boolean mayPass(RespFrame frame) throws InterruptedException;

        /** The source has ended, and all that came before has gone its way. */
        void ended();
    }

    private record Item(@Nullable RespFrame frame, long arrivedNanos) {}

    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private final OutputStream out;
    private final RespReader reader;
    private final BooleanSupplier raw;
    private final Supplier<Duration> delay;
    private final Gate gate;
    private final BlockingQueue<Item> underWay = new LinkedBlockingQueue<>();

    /** Bytes that follow no protocol any more, once {@code raw} says so, are passed on as they come. */
    ProxyLane(InputStream in, OutputStream out, BooleanSupplier raw, Supplier<Duration> delay, Gate gate) {
        this.in = new BufferedInputStream(in, CHUNK);
        this.out = out;
        this.reader = new RespReader(this.in);
        this.raw = raw;
        this.delay = delay;
        this.gate = gate;
    }

    void start(String name) {
        Threads.start(name + "-reader", this::read);
        Threads.start(name + "-writer", this::write);
    }

    private void read() {
        try {
            for (RespFrame frame = next(); frame != null; frame = next()) {
                gate.arrived(frame);
                underWay.add(new Item(frame, System.nanoTime()));
            }
        } catch (IOException e) {
            // Ends as any other connection that is gone.
        } finally {
            underWay.add(new Item(null, System.nanoTime()));
        }
    }

    private @Nullable RespFrame next() throws IOException {
        if (!raw.getAsBoolean()) {
            return reader.read();
        }
        byte[] chunk = new byte[CHUNK];
        int length = in.read(chunk);
        return length < 0 ? null : RespFrame.raw(Arrays.copyOf(chunk, length));
    }

    private void write() {
        try {
            while (true) {
                Item item = underWay.take();
                TimeUnit.NANOSECONDS.sleep(item.arrivedNanos + delay.get().toNanos() - System.nanoTime());
                if (item.frame == null) {
                    break;
                }
                if (gate.mayPass(item.frame)) {
                    out.write(item.frame.bytes());
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The other side has gone: what was under way to it is lost.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            gate.ended();
        }
    }
}
