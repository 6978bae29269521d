package io.holdfast.engine;

import io.holdfast.spi.TimeSource;

/** One reading of both clocks. */
record Moment(long nanos, long wallMillis) {

    static Moment now(TimeSource time) {
        return new Moment(time.nanoTime(), time.wallMillis());
    }
}
