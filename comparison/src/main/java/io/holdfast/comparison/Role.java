package io.holdfast.comparison;

/** Beside whom a thread may be inside. */
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
