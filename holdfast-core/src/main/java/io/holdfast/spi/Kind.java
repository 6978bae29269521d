package io.holdfast.spi;

/** What a resource is used as. Resources of two kinds never meet, even under one name. */
public enum Kind {
    /** A mutex. */
    LOCK,
    /** Many readers or one writer. */
    READ_WRITE,
    /** Leased permits. */
    SEMAPHORE,
    /** Leadership. */
    ELECTION,
    /** Arrivals, and those who wait for all of them with a claim of weight zero. */
    LATCH
}
