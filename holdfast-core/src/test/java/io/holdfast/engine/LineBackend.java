package io.holdfast.engine;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** One resource with a capacity and a line, for any number of clients. Leases never end by themselves. */
final class LineBackend implements LockBackend {

    /** What all clients share. */
    static final class Store {
        private final ReentrantLock mutex = new ReentrantLock();
        private final List<Claim> holders = new ArrayList<>();
        private final List<LineBackend> waiting = new ArrayList<>();
        private final List<Claim> line = new ArrayList<>();
        private long tokens;

        /** How much is granted. */
        int used() {
            mutex.lock();
            try {
                return holders.stream().mapToInt(Claim::weight).sum();
            } finally {
                mutex.unlock();
            }
        }

        private long grant(Claim claim) {
            holders.add(claim);
            tokens += claim.tokens();
            return tokens - claim.tokens() + 1;
        }

        private boolean fits(Claim claim) {
            return used() + claim.weight() <= claim.resource().capacity();
        }
    }

    private final Store store;
    private final LongSupplier nanos;
    private volatile BackendListener listener;

    /** @param nanos the monotonic clock of everybody */
    LineBackend(Store store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
    }

    @Override
    public void start(String clientId, BackendListener engine) {
        listener = engine;
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        store.mutex.lock();
        try {
            if (store.line.isEmpty() && store.fits(claim)) {
                return new AttemptResult.Granted(store.grant(claim), claim.lease());
            }
            if (!claim.waits()) {
                return new AttemptResult.Busy(claim.lease());
            }
            if (store.line.stream().noneMatch(each -> each.id().equals(claim.id()))) {
                store.line.add(claim);
                store.waiting.add(this);
            }
            return new AttemptResult.Queued(store.line.size(), claim.lease(), true);
        } finally {
            store.mutex.unlock();
        }
    }

    @Override
    public boolean release(Claim claim) {
        List<Runnable> messages = new ArrayList<>();
        store.mutex.lock();
        try {
            store.holders.removeIf(each -> each.id().equals(claim.id()));
            for (int i = store.line.size() - 1; i >= 0; i--) {
                if (store.line.get(i).id().equals(claim.id())) {
                    store.line.remove(i);
                    store.waiting.remove(i);
                }
            }
            Iterator<LineBackend> who = store.waiting.iterator();
            for (Iterator<Claim> each = store.line.iterator(); each.hasNext(); ) {
                Claim next = each.next();
                LineBackend client = who.next();
                if (!store.fits(next)) {
                    break;
                }
                each.remove();
                who.remove();
                long token = store.grant(next);
                messages.add(() -> client.listener.granted(next.id(), token, next.lease(), nanos.getAsLong()));
            }
        } finally {
            store.mutex.unlock();
        }
        messages.forEach(Runnable::run);
        return true;
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return ScriptedBackend.renewAll(renewals);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        return Optional.empty();
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        return Stream.empty();
    }

    @Override
    public Duration requestTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {}
}
