package io.holdfast.comparison;

import org.jspecify.annotations.Nullable;

/** A library could not be measured, for a reason that the reader of the table should see. */
final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BenchException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
