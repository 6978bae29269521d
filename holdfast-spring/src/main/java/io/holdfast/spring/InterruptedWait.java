package io.holdfast.spring;

import java.util.List;
import java.util.concurrent.CancellationException;

/** A thread was interrupted while it waited for a lock; its flag is set again. */
final class InterruptedWait extends CancellationException {
    private static final long serialVersionUID = 1L;

    InterruptedWait(List<String> names, InterruptedException cause) {
        super("interrupted while it waited for " + names + "; nothing was run");
        initCause(cause);
    }
}
