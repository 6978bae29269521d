package io.holdfast.spi;

/**
 * What one client knows of its own line for a mutex and the store does not: threads that pass a lock on among
 * themselves are one claim there.
 *
 * @param name the name of the mutex
 * @param claim the number of the claim that the client holds, or zero
 * @param holder the label of who has it inside the client, or empty
 * @param behind how many wait inside the client beside the one that has the lock or the client's place in the store's
 *     line; not negative
 * @since 0.1
 */
public record ClientLine(String name, long claim, String holder, int behind) {}
