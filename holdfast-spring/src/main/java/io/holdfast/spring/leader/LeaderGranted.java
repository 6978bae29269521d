package io.holdfast.spring.leader;

/**
 * An application event: this process leads now. Published on the thread of the candidacy, before anything else is done
 * in the term; a listener that takes long delays nothing but this thread.
 *
 * @param election what is led
 * @param token the fencing token of the term, greater than that of every earlier one
 * @since 0.1
 */
public record LeaderGranted(String election, long token) {}
