package io.holdfast.spi;

import java.util.List;

/**
 * What one client says of its suspects: owners that hold something and have waited for something for a while. Others
 * look for deadlocks with it. The store keeps it as text for a few seconds and never reads it.
 *
 * <p>An owner is a thread, or a name that the user gave. An owner that waits in several places is several suspects with
 * one {@link Suspect#ownerKey()}.
 *
 * @param client whose it is
 * @param version counts the records of the client, one by one
 * @param unbroken every record of the client from this version on, up to the one before this, was answered by the store
 *     before the next one was made
 * @param suspects at most {@value #MOST_SUSPECTS}, those that have waited longest first
 * @since 0.1
 */
public record WaitRecord(String client, long version, long unbroken, List<Suspect> suspects) {

    /** The most suspects of one client; whoever does not fit counts as able to go on. */
    public static final int MOST_SUSPECTS = 64;

    /** The most holds of one suspect. */
    public static final int MOST_HOLDS = 32;

    /**
     * Creates a record.
     *
     * @param client whose it is
     * @param version counts the records of the client
     * @param unbroken since when every record was answered
     * @param suspects who waits
     */
    public WaitRecord {
        suspects = List.copyOf(suspects);
    }

    /**
     * How somebody waits: in the store's line, or inside its client.
     *
     * @since 0.1
     */
    public enum Place {
        /** Its claim stands in the store's line, for it and for nobody before it in its client. */
        LINE,
        /** It waits inside its client behind another one, whose claim stands in the store's line for both. */
        BEHIND,
        /** It waits inside its client for a claim that the client holds. */
        LOCAL
    }

    /**
     * One wait of an owner that holds something.
     *
     * @param serial counts the waits of the client that waits; never used again
     * @param ownerKey the same for the waits of one owner, and for no other owner of that client
     * @param owner who it is, for people
     * @param fails whether it would rather fail than wait in a deadlock
     * @param resource what it waits for; the capacity is what its client believes
     * @param weight how much of it
     * @param most the greatest weight that stands before it in its own client's line, or its own if that is greater
     * @param claim the claim under which it waits in the store's line, or behind which it waits inside its client
     * @param place how it waits there
     * @param sinceMillis since when, by the wall clock of its client; always the same for one wait
     * @param untilMillis when it stops waiting, by that clock; zero if it does not
     * @param holds what its owner holds, at most {@value WaitRecord#MOST_HOLDS}
     * @since 0.1
     */
    public record Suspect(
            long serial,
            String ownerKey,
            String owner,
            boolean fails,
            Resource resource,
            int weight,
            int most,
            ClaimId claim,
            Place place,
            long sinceMillis,
            long untilMillis,
            List<Hold> holds) {

        /**
         * Creates a suspect.
         *
         * @param serial counts the waits of its client
         * @param ownerKey the same for the waits of one owner
         * @param owner who it is
         * @param fails whether it would rather fail
         * @param resource what it waits for
         * @param weight how much of it
         * @param most the greatest weight before it in its own client's line
         * @param claim under which it waits
         * @param place how it waits there
         * @param sinceMillis since when
         * @param untilMillis until when, or zero
         * @param holds what its owner holds
         */
        public Suspect {
            holds = List.copyOf(holds);
        }
    }

    /**
     * Something that an owner holds.
     *
     * @param certain whether nobody but the owner may give it back
     * @param resource what it is
     * @param claim the claim that holds it in the store, perhaps for several leases
     * @param token the fencing token of the owner's lease
     * @param weight how much of it the lease has
     * @param untilMillis when it ends although it is renewed, or because it is not; zero if it does not
     * @since 0.1
     */
    public record Hold(boolean certain, Resource resource, ClaimId claim, long token, int weight, long untilMillis) {}
}
