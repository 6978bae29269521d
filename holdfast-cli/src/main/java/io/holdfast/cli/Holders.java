package io.holdfast.cli;

import io.holdfast.LockStatus;

/** The holder of a lock, in a few words for those who wait for it. */
final class Holders {
    private Holders() {}

    /** Begins with "held", or with "free" when they are gone by now. */
    static String text(LockStatus status) {
        if (status.holders().isEmpty()) {
            return "free by now";
        }
        LockStatus.Holder first = status.holders().get(0);
        int others = status.holders().size() - 1;
        String since = Statuses.held(first)
                .map(DurationConverter::shown)
                .map(time -> " for " + time)
                .orElse("");
        return "held" + since + " by " + place(first.client()) + " (" + Statuses.visible(first.label()) + ")"
                + (others == 0 ? "" : " and " + others + " more");
    }

    private static String place(LockStatus.Client client) {
        return Statuses.visible(client.host().isEmpty() ? client.id() : client.host() + "/" + client.pid());
    }
}
