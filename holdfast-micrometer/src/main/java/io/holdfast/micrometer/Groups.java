package io.holdfast.micrometer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Which group a name belongs to, and no more groups than agreed.
 *
 * <p><b>Invariant.</b> {@link #admitted} never has more than {@link #most} elements: it grows under {@link #admission}
 * only. Readers look without it, and once all places are taken nobody needs it any more.
 */
final class Groups {
    static final String OTHER = "other";

    private static final Logger LOGGER = System.getLogger("io.holdfast.micrometer");

    private final UnaryOperator<String> grouping;
    private final int most;
    private final Set<String> admitted = ConcurrentHashMap.newKeySet();
    private final ReentrantLock admission = new ReentrantLock();
    private volatile boolean full;

    Groups(UnaryOperator<String> grouping, int most) {
        this.grouping = grouping;
        this.most = most;
    }

    static String beforeFirstColon(String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }

    String of(String name) {
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
