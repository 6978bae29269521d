package io.holdfast.comparison;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Who is inside, seen by all JVMs of a round: a few words in a file that they all map.
 *
 * <p>Exclusion is checked twice. A thread that enters looks whether another one is inside; and each that is inside
 * alone adds one to a count without any care for others, which must have grown by as many as were inside.
 */
final class Witness {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int SIZE = 256;
    private static final int INSIDE = 0;
    private static final int COUNT = 64;
    private static final int OWNER = 128;
    private static final int RELEASED = 192;
    private static final long ALONE = 1L << 32;

    private final ByteBuffer words;

    private Witness(ByteBuffer words) {
        this.words = words;
    }

    static Witness on(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Witness(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    /** Before a round: nobody is inside. */
    void reset() {
        for (int word : new int[] {INSIDE, COUNT, OWNER, RELEASED}) {
            WORD.setVolatile(words, word, 0L);
        }
    }

    /** Enters where nobody else may be. Returns whether nobody was. */
    boolean enterAlone() {
        boolean alone = (long) WORD.getAndAdd(words, INSIDE, ALONE) == 0;
        long count = (long) WORD.get(words, COUNT);
        WORD.set(words, COUNT, count + 1);
        return alone;
    }

    void exitAlone() {
        WORD.getAndAdd(words, INSIDE, -ALONE);
    }

    /** Enters beside others. Returns whether they were fewer than {@code most} and none of them wanted to be alone. */
    boolean enterBeside(int most) {
        return (long) WORD.getAndAdd(words, INSIDE, 1L) < most;
    }

    void exitBeside() {
        WORD.getAndAdd(words, INSIDE, -1L);
    }

    /** How many were inside alone, if they really were. */
    long count() {
        return (long) WORD.getVolatile(words, COUNT);
    }

    /** Who had the lock last, from 1; 0 when nobody had it. */
    long owner() {
        return (long) WORD.getVolatile(words, OWNER);
    }

    void owner(long owner) {
        WORD.setVolatile(words, OWNER, owner);
    }

    /** When the lock was let go last, on the clock that all processes of a machine share. */
    long releasedNanos() {
        return (long) WORD.getVolatile(words, RELEASED);
    }

    void releasedNanos(long nanos) {
        WORD.setVolatile(words, RELEASED, nanos);
    }
}
