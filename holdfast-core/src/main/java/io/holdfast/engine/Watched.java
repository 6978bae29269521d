package io.holdfast.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What can have a place in a {@link WatchList}. The place is a field here, so that a compare-and-set decides between
 * those who move and those who remove it.
 *
 * @param <T> what is watched
 */
abstract class Watched<T> {

    /**
     * A place in the order; replaced, never changed.
     *
     * @param <T> what is watched
     */
    static final class Entry<T> implements Comparable<Entry<T>> {
        final long dueNanos;
        final @Nullable T item;
        private final long sequence;

        Entry(long dueNanos, long sequence, @Nullable T item) {
            this.dueNanos = dueNanos;
            this.sequence = sequence;
            this.item = item;
        }

        @Override
        public int compareTo(Entry<T> other) {
            long byTime = dueNanos - other.dueNanos;
            return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime < 0 ? -1 : 1;
        }
    }

    private static final VarHandle ENTRY = Fields.of(MethodHandles.lookup(), "entry", Entry.class);

    private volatile @Nullable Entry<T> entry;

    final @Nullable Entry<T> entry() {
        return entry;
    }

    final boolean replaceEntry(@Nullable Entry<T> old, Entry<T> replacement) {
        return ENTRY.compareAndSet(this, old, replacement);
    }

    /** Returns the entry and leaves another, for good. */
    @SuppressWarnings("unchecked") // the type of the field
    final @Nullable Entry<T> lastEntry(Entry<T> end) {
        return (Entry<T>) ENTRY.getAndSet(this, end);
    }
}
