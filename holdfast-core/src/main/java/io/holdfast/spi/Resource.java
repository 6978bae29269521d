package io.holdfast.spi;

import io.holdfast.LockKind;

/**
 * What claims compete for. Identified by kind and name; the capacity is what this client believes it to be.
 *
 * @param kind what it is used as
 * @param name any valid Unicode, 1 to 512 bytes in UTF-8, control characters and braces included
 * @param capacity how much of it there is, at least one
 * @since 0.1
 */
public record Resource(LockKind kind, String name, int capacity) {

    /** The capacity of a read-write lock: a reader takes one, a writer all of it. */
    public static final int ALL_READERS = 1 << 20;
}
