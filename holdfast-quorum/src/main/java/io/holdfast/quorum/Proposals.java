package io.holdfast.quorum;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Proposes the token that all members are asked for. By itself each member would use its own clock. Asked for a token
 * slightly ahead of all their clocks, they all give that one, and one round trip is enough. A guess that is too low
 * costs only a second round trip, and the next guess learns from it.
 */
final class Proposals {
    private static final long LEAST_SLACK_MICROS = 5_000;

    /** Tokens further ahead of the clock would be worse than a second round trip. */
    private static final long MOST_SLACK_MICROS = 500_000;

    /** How slowly unneeded slack shrinks. */
    private static final int DECAY = 256;

    private final Iterable<Member> members;
    private final AtomicLong slackMicros = new AtomicLong(LEAST_SLACK_MICROS);

    Proposals(Iterable<Member> members) {
        this.members = members;
    }

    /** A token for all members, or zero if their clocks are not known yet. */
    long next() {
        long most = 0;
        for (Member member : members) {
            OptionalLong now = member.tokenNow();
            if (now.isPresent()) {
                most = Math.max(most, now.getAsLong());
            }
        }
        return most == 0 ? 0 : most + slackMicros.get();
    }

    /**
     * Learns from a vote. If all members gave the same token, the guess was good enough. A large jump comes from a
     * clock or an old token, not from a slow network, and is ignored.
     */
    void learn(long proposed, long greatest, boolean agreed) {
        long lag = greatest - proposed;
        long slack = slackMicros.get();
        if (agreed) {
            slackMicros.compareAndSet(slack, Math.max(LEAST_SLACK_MICROS, slack - slack / DECAY));
        } else if (proposed > 0 && lag > 0 && lag <= MOST_SLACK_MICROS) {
            slackMicros.compareAndSet(slack, Math.min(MOST_SLACK_MICROS, slack + 2 * lag));
        }
    }

    long slackMicros() {
        return slackMicros.get();
    }
}
