package io.holdfast.comparison;

/** Which other threads may be inside at the same time. */
enum Role {
    /** Nobody. */
    ALONE,
    /** Other readers. */
    READER,
    /** Fewer than {@link #PERMITS} others. */
    PERMIT,
    /** The section is the thread's own; nobody looks. */
    UNSEEN;

    static final int PERMITS = 4;
}
