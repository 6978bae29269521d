package io.holdfast.spring;

/**
 * What happens when a transaction was there before the lock. What such a transaction has read may be from before the
 * lock, so that it would decide by what others have changed since.
 *
 * @since 0.1
 */
public enum Joining {
    /**
     * Joins it, unless its own connection says {@code REPEATABLE READ} or stricter: such a transaction cannot see what
     * others committed since it began, and is refused with {@link LockedTooLateException}. Also where it has read
     * nothing yet, which nobody can know.
     */
    AUTO,
    /** Joins it, whatever it can see: for those who read nothing before the lock. */
    HOLD,
    /** Joins none: {@link LockedTooLateException}. */
    REFUSE
}
