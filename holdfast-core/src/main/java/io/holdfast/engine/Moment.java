package io.holdfast.engine;

import io.holdfast.spi.TimeSource;

/** One reading of both clocks. */
record Moment(long nanos, long wallMillis) {

    static Moment now(TimeSource time) {
        return new Moment(time.nanoTime(), time.wallMillis());
    }

    /** The same instant on both clocks, given where it is on the monotonic one. */
    static Moment at(long nanos, TimeSource time) {
        Moment now = now(time);
        return new Moment(nanos, now.wallMillis - (now.nanos - nanos) / Deadline.NANOS_PER_MILLI);
    }
}
