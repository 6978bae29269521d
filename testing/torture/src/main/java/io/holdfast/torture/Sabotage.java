package io.holdfast.torture;

import java.util.Locale;

/** What is wrong on purpose, so that it shows whether the checkers see it. */
enum Sabotage {
    NONE,
    /** Each worker has locks of its own, which protect nothing. */
    APART,
    /** In a quorum, all nodes but the first grant whatever they are asked for. */
    ONE_VOTE,
    /** In a quorum, a node that forgot grants at once. */
    NO_GUARD;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
