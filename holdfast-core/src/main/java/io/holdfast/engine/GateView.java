package io.holdfast.engine;

import io.holdfast.spi.ClaimId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one client knows of its own line, and no store does: the store has one claim for all of it.
 *
 * @param holders the claims that threads or leases here have, and who that is, for people
 * @param pursued the claim that stands in the store for the first of the line, or null
 * @param waiting who waits here, for people, the next one first
 */
record GateView(Map<ClaimId, String> holders, @Nullable ClaimId pursued, List<String> waiting) {}
