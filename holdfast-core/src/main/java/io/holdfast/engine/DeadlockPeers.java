package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients of this process, as far as they look for deadlocks: a thread that holds with one and waits with another
 * is one owner, if both are clients of one store. Names are not joined; they are one client's own.
 *
 * <p><b>How.</b> The client with which a thread waits finds also what the thread holds with the others, and samples all
 * of it at once. Whoever looks comes from what is held, though, so the others show the same suspect, as a hint where to
 * read.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Nobody is kept from being collected.
 */
final class DeadlockPeers {
    private static final Map<String, WeakReference<DeadlockPeers>> ALL = new ConcurrentHashMap<>();

    private final String clientId;
    private final StoreCalls store;
    private final WatchList watched;

    /** The last sample. */
    private volatile List<WaitRecord.Suspect> suspects = List.of();

    private volatile Runnable wake = () -> {};

    DeadlockPeers(String clientId, StoreCalls store, WatchList watched) {
        this.clientId = clientId;
        this.store = store;
        this.watched = watched;
    }

    /** @param wake makes the client look, though nobody waits there */
    void join(Runnable wake) {
        this.wake = wake;
        ALL.put(clientId, new WeakReference<>(this));
    }

    void leave() {
        ALL.remove(clientId);
        suspects = List.of();
    }

    WatchList watched() {
        return watched;
    }

    /** The other clients of this process and this store. */
    List<DeadlockPeers> others() {
        List<DeadlockPeers> others = new ArrayList<>();
        if (ALL.size() > 1) {
            Optional<String> id = store.storeId();
            ALL.values().forEach(each -> {
                DeadlockPeers peer = each.get();
                if (peer != null && peer != this && id.isPresent() && id.equals(peer.store.storeId())) {
                    others.add(peer);
                }
            });
            ALL.values().removeIf(each -> each.get() == null);
        }
        return others;
    }

    /** What others have found to hold something of this client. */
    List<WaitRecord.Suspect> borrowed() {
        List<WaitRecord.Suspect> borrowed = new ArrayList<>();
        others().forEach(peer -> peer.suspects.stream()
                .filter(suspect -> suspect.holds().stream()
                        .anyMatch(hold -> hold.claim().client().equals(clientId)))
                .forEach(borrowed::add));
        return borrowed;
    }

    /** This client has found these. Others show those that hold something of theirs. */
    void found(List<WaitRecord.Suspect> own) {
        suspects = own;
        boolean mixed = own.stream()
                .flatMap(suspect -> suspect.holds().stream())
                .anyMatch(hold -> !hold.claim().client().equals(clientId));
        if (mixed) {
            others().stream().filter(peer -> peer.holdsFor(own)).forEach(peer -> peer.wake.run());
        }
    }

    private boolean holdsFor(List<WaitRecord.Suspect> those) {
        return those.stream()
                .flatMap(suspect -> suspect.holds().stream())
                .anyMatch(hold -> hold.claim().client().equals(clientId));
    }
}
