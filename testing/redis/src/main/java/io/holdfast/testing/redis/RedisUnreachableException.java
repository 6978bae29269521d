package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.UncheckedIOException;

/** No connection to a server, or no answer on it: the command may have been executed or not. */
public final class RedisUnreachableException extends UncheckedIOException {
    public RedisUnreachableException(String message, IOException cause) {
        super(message, cause);
    }
}
