package io.holdfast.quorum;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The token that all members are asked for. Each would give its own time; asked for one that is a little ahead of all of them, they give the same, and
 * one trip is enough. A guess that is too low costs a second trip and nothing else, so the guess learns.
 */
final class Proposals {
    private static final long LEAST_SLACK_MICROS = 5_000;

    /** Tokens that run further ahead of the clock would be worse than a second trip. */
    private static final long MOST_SLACK_MICROS = 500_000;

    /** How slowly a slack that is not needed any more gets smaller. */
    private static final int DECAY = 256;

    private final Iterable<Member> members;
    private final AtomicLong slackMicros = new AtomicLong(LEAST_SLACK_MICROS);

    Proposals(Iterable<Member> members) {
        this.members = members;
    }

    /** A token for everybody, or zero if nobody knows what theirs would be. */
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
     * Learns from a vote. Where all gave the same token, the guess was good enough, whoever asked for more before. A jump is somebody's
     * clock, or a token from before, and not a slow network.
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
