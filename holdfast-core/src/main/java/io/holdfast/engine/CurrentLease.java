package io.holdfast.engine;

import io.holdfast.LostReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A lease that a user has of a {@link StoreGrant} now, as far as the grant and those who look after it need it. */
interface CurrentLease {
    long token();

    /** Who has it, for people. */
    String label();

    /** Whose it is: a name that the user gave, or the thread that asked for it; null for nobody. */
    @Nullable
    Object owner();

    /** Whether nobody but its owner is to give it back. */
    boolean isOwned();

    boolean isClosed();

    /** Whether somebody has marked it as lost. */
    boolean isLost();

    /** How long the next renewal should ask for; zero for no renewal. */
    Duration renewal();

    /** Whether it is not renewed because the thread that owned it died. */
    boolean isOrphaned();

    /** Why it is over, whatever the store has granted: it was lost, or its own time is up. Null if neither. */
    @Nullable
    LostReason overBecause();

    /** When it is over, on the monotonic clock: then, or earlier if its own time is up before. */
    long endNanos(long byStoreNanos);

    /** The store has renewed the grant, which would have ended then: so this one ends then if its owner died. */
    void renewed(long beforeNanos);

    /** A renewal failed for the first time since the last success. */
    void atRisk(RuntimeException cause);

    /** Marks it as lost, unless it has ended already. */
    void markLost(LostReason why);

    /** Tells its user that it was lost, if it was; once, however often it is called. */
    void tellLost();

    /** Gives it back, if it is held. */
    void giveBack();
}
