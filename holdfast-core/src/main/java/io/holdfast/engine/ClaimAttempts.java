package io.holdfast.engine;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts and ends claim attempts, and knows those under way: what the store announces finds them here. */
final class ClaimAttempts {
    private final Claims claims;
    private final StoreCalls store;
    private final EngineRuntime runtime;
    private final ReleaseRetrier releases;
    private final Endings endings;
    private final ConcurrentHashMap<ClaimId, ClaimAttempt> waiting = new ConcurrentHashMap<>();

    ClaimAttempts(Claims claims, StoreCalls store, EngineRuntime runtime, ReleaseRetrier releases, Endings endings) {
        this.claims = claims;
        this.store = store;
        this.runtime = runtime;
        this.releases = releases;
        this.endings = endings;
    }

    /**
     * A new claim. Messages about it reach the attempt from now on; before the first question, so that none is missed.
     */
    ClaimAttempt start(StoreGrant.Owner owner, Resource resource, int tokens, Request request) {
        Claim claim = claims.next(resource, tokens, request);
        ClaimAttempt attempt = new ClaimAttempt(store, runtime, owner, claim);
        if (claim.waits()) {
            waiting.put(claim.id(), attempt);
        }
        return attempt;
    }

    /** Asks the store once. Returns what the waiter fails with if there is no sense in going on. */
    @Nullable
    RuntimeException ask(ClaimAttempt attempt, Request request) {
        if (request.once()) {
            releases.clear(attempt.claim().resource());
        }
        return attempt.ask(request);
    }

    /** The grant in hand is too short and could not be made longer. Asking again may still get it. */
    @Nullable
    RuntimeException unconfirmed(ClaimAttempt attempt, Request request, RuntimeException unknown) {
        StoreGrant distrusted = attempt.grant();
        if (distrusted != null) {
            endings.drop(distrusted);
        }
        return attempt.unconfirmed(request, unknown);
    }

    /** A lease was made of the grant, which knows from now on what the store may still do to the claim. */
    void handedOut(ClaimAttempt attempt, StoreGrant grant) {
        end(attempt);
        grant.unsettledUntil(attempt.unsettledUntilNanos());
    }

    /** Ends a claim that nobody wants any more, granted or not. A caller without time does not wait for the answer. */
    void abandon(ClaimAttempt attempt, boolean inBackground) {
        end(attempt);
        Claim claim = attempt.claim();
        StoreGrant unused = attempt.takeBack();
        if (unused != null) {
            endings.drop(unused);
        }
        if (attempt.isKnownToStore()) {
            Duration longest = unused == null ? claim.lease() : unused.longest();
            if (inBackground) {
                releases.releaseLater(claim, attempt.unsettledUntilNanos(), longest);
            } else {
                releases.release(claim, attempt.unsettledUntilNanos(), longest);
            }
        }
    }

    private void end(ClaimAttempt attempt) {
        if (attempt.claim().waits()) {
            waiting.remove(attempt.claim().id());
        }
    }

    /** The attempt that waits under this id, or null. */
    @Nullable
    ClaimAttempt find(ClaimId id) {
        return waiting.get(id);
    }

    void forEach(Consumer<ClaimAttempt> action) {
        waiting.values().forEach(action);
    }

    int size() {
        return waiting.size();
    }
}
