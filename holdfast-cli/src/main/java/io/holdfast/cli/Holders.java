package io.holdfast.cli;

import io.holdfast.LockStatus;
import java.time.Duration;
import java.time.Instant;

/** Who has a lock, in a few words for who does not get it. */
final class Holders {
    private Holders() {}

    /** Begins with "held", or with "free" when they are gone by now. */
    static String text(LockStatus status) {
        if (status.holders().isEmpty()) {
            return "free by now";
        }
        LockStatus.Holder first = status.holders().get(0);
        int others = status.holders().size() - 1;
        String since = first.since()
                .map(then -> " for " + DurationConverter.shown(positive(Duration.between(then, Instant.now()))))
                .orElse("");
        return "held" + since + " by " + place(first.client()) + " (" + visible(first.label()) + ")"
                + (others == 0 ? "" : " and " + others + " more");
    }

    /** The clock of the store may be ahead of ours. */
    private static Duration positive(Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    private static String place(LockStatus.Client client) {
        return visible(client.host().isEmpty() ? client.id() : client.host() + "/" + client.pid());
    }

    /** Whatever others wrote cannot move the cursor of who reads it. */
    private static String visible(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
