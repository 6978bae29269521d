package io.holdfast.engine;

import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the store whether a claim was really taken away, because anybody who reaches the store's channel can say so.
 * However many messages come, there is one question per claim at a time; a message that comes during a question brings
 * one more.
 */
final class Revocations {

    /** Shorter than what is left of a grant, so that nothing is renewed. */
    private static final Duration A_LOOK = Duration.ofMillis(1);

    private enum Look {
        WANTED,
        UNDER_WAY
    }

    private final WatchList watched;
    private final Watchdog watchdog;
    private final StoreCalls store;
    private final ConcurrentHashMap<ClaimId, Look> looks = new ConcurrentHashMap<>();

    Revocations(WatchList watched, Watchdog watchdog, StoreCalls store) {
        this.watched = watched;
        this.watchdog = watchdog;
        this.store = store;
    }

    /** Somebody says that the store has ended the claim. Returns at once. */
    void announced(ClaimId claim) {
        if (looks.replace(claim, Look.WANTED) == null) {
            watched.forEach(grant -> {
                if (grant.claim().id().equals(claim) && looks.put(claim, Look.WANTED) == null) {
                    begin(grant);
                }
            });
        }
    }

    private void begin(StoreGrant grant) {
        boolean begun = false;
        try {
            store.worker(grant.claim().resource()).execute(() -> look(grant));
            begun = true;
        } finally {
            if (!begun) {
                looks.remove(grant.claim().id());
            }
        }
    }

    private void look(StoreGrant grant) {
        ClaimId claim = grant.claim().id();
        do {
            looks.put(claim, Look.UNDER_WAY);
            RenewResult result =
                    store.renew(List.of(new Renewal(grant.claim(), A_LOOK))).get(0);
            if (result instanceof RenewResult.Gone) {
                watchdog.gone(grant);
            }
        } while (!looks.remove(claim, Look.UNDER_WAY));
    }
}
