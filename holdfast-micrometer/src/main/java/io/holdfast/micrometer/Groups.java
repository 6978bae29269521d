package io.holdfast.micrometer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Which group a name belongs to, and no more groups than agreed: for tags, of which a registry keeps each value for
 * ever.
 *
 * <p><b>Guarantees.</b> There are at most as many values as agreed, and {@code other}; one WARNING says when there
 * would be more.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * @since 0.1
 */
public final class Groups {
    // Invariant: admitted never has more than most elements. It grows under admission only. Readers look without it,
    // and once all places are taken nobody needs it any more.

    static final String OTHER = "other";

    private static final Logger LOGGER = System.getLogger("io.holdfast.micrometer");

    private final UnaryOperator<String> grouping;
    private final int most;
    private final Set<String> admitted = ConcurrentHashMap.newKeySet();
    private final ReentrantLock admission = new ReentrantLock();
    private volatile boolean full;

    /**
     * Groups that are given by a function.
     *
     * @param grouping says which group a name belongs to
     * @param most how many groups there may be
     */
    public Groups(UnaryOperator<String> grouping, int most) {
        this.grouping = grouping;
        this.most = most;
    }

    static String beforeFirstColon(String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }

    /**
     * Returns the group of a name.
     *
     * @param name of a lock
     * @return the group, or {@code other} if there are too many
     */
    public String of(String name) {
        String group = grouping.apply(name);
        if (admitted.contains(group)) {
            return group;
        }
        return full ? OTHER : admit(group);
    }

    private String admit(String group) {
        admission.lock();
        try {
            if (admitted.contains(group)) {
                return group;
            }
            if (admitted.size() < most) {
                admitted.add(group);
                return group;
            }
            if (!full) {
                full = true;
                LOGGER.log(
                        Level.WARNING,
                        "more than " + most + " groups of locks, the first too many is ''{0}'': it and all later ones"
                                + " are counted as ''" + OTHER + "''; begin names with what they have in common and"
                                + " a colon, or give a grouping function",
                        group);
            }
            return OTHER;
        } finally {
            admission.unlock();
        }
    }
}
