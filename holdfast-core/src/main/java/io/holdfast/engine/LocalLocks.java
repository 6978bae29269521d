package io.holdfast.engine;

import io.holdfast.spi.Resource;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a client has open, one shared state for each resource, for as long as anybody uses it: a lock object,
 * a waiter or a lease. Names come and go by the million (one for each order), so nothing else may keep them.
 */
final class LocalLocks {
    private static final class Reference extends WeakReference<LocalLock> {
        private final Resource resource;

        Reference(LocalLock lock, ReferenceQueue<LocalLock> unused) {
            super(lock, unused);
            this.resource = lock.resource();
        }
    }

    private final GateServices services;
    private final ConcurrentHashMap<Resource, Reference> references = new ConcurrentHashMap<>();
    private final ReferenceQueue<LocalLock> unused = new ReferenceQueue<>();

    LocalLocks(GateServices services) {
        this.services = services;
    }

    LocalLock of(Resource resource) {
        forgetUnused();
        Reference reference = references.get(resource);
        LocalLock found = reference == null ? null : reference.get();
        return found != null ? found : create(resource);
    }

    /** What the client has open under that name, or null. */
    @Nullable
    LocalLock find(Resource resource) {
        Reference reference = references.get(resource);
        return reference == null ? null : reference.get();
    }

    private LocalLock create(Resource resource) {
        LocalLock fresh = new LocalLock(services, resource);
        LocalLock[] chosen = {fresh};
        references.compute(resource, (key, reference) -> {
            LocalLock present = reference == null ? null : reference.get();
            if (present != null) {
                chosen[0] = present;
                return reference;
            }
            return new Reference(fresh, unused);
        });
        return chosen[0];
    }

    private void forgetUnused() {
        for (@Nullable Object each = unused.poll(); each != null; each = unused.poll()) {
            if (each instanceof Reference gone) {
                references.remove(gone.resource, gone);
            }
        }
    }

    int size() {
        return references.size();
    }
}
