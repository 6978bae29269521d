package io.holdfast.spring;

/**
 * Tells which locks belong together, so that meters are tagged with a few groups and not with each name.
 *
 * <p><b>Guarantees.</b> The group of a name is the template of a {@link Locked} method whose beginning fits best: the
 * longest text before the first brace with which the name begins. Otherwise it is what stands before the first colon,
 * or the whole name.
 *
 * <p><b>Not guaranteed.</b> A bound: names without a template and without a colon are groups of their own. Whoever
 * makes tags of them limits their number.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Templates come in while beans are made.
 *
 * <p><b>Implementing.</b> For users: a bean of this type replaces the usual one. This interface will not get another
 * abstract method.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockGroups {

    /**
     * Returns the group of a lock.
     *
     * @param name of the lock
     * @return such as <code>order:{order.id}</code>
     */
    String groupOf(String name);
}
