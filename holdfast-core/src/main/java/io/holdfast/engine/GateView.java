package io.holdfast.engine;

import io.holdfast.spi.ClaimId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one client knows of its own line, and no store does: the store has one claim for all of it.
 *
 * @param holding the claim that a thread or a lease here has, or null
 * @param holder who that is, for people; means something only if there is such a claim
 * @param pursued the claim that stands in the store for the first of the line, or null
 * @param waiting who waits here, for people, the next one first
 */
record GateView(
        @Nullable ClaimId holding, String holder, @Nullable ClaimId pursued, List<String> waiting) {}
