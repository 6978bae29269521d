package io.holdfast.engine;

import io.holdfast.spi.BackendListener;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Takes what the store announces to the claim that it is about. */
final class Announcements implements BackendListener {
    private final ClaimAttempts attempts;
    private final Revocations revocations;
    private final WatchList watched;
    private final Waiting waiting;

    Announcements(ClaimAttempts attempts, Revocations revocations, WatchList watched, Waiting waiting) {
        this.attempts = attempts;
        this.revocations = revocations;
        this.watched = watched;
        this.waiting = waiting;
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        ClaimAttempt found = attempts.find(claim);
        if (found != null) {
            found.push(token, left, startNanos);
        }
    }

    @Override
    public void served(ClaimId claim) {
        ClaimAttempt found = attempts.find(claim);
        if (found != null) {
            found.askNow();
        }
    }

    @Override
    public void revoked(ClaimId claim) {
        revocations.announced(claim);
    }

    @Override
    public void changed(Resource resource) {
        attempts.forEach(each -> {
            Resource waitedFor = each.claim().resource();
            if (waitedFor.kind() == resource.kind() && waitedFor.name().equals(resource.name())) {
                each.askNow();
            }
        });
    }

    @Override
    public void missed() {
        attempts.forEach(ClaimAttempt::askNow);
    }

    @Override
    public List<ClientLine> lines() {
        Set<StoreGrant.Owner> gates = new HashSet<>(waiting.gates());
        watched.forEach(grant -> {
            if (grant.isPassedOn()) {
                gates.add(grant.owner());
            }
        });
        return gates.stream()
                .map(StoreGrant.Owner::unseen)
                .filter(Objects::nonNull)
                .toList();
    }
}
