package io.holdfast.engine;

import io.holdfast.LockException;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The store as the engine calls it: on which thread a call runs in the background, and what its exceptions mean. */
final class StoreCalls {
    private final LockBackend backend;
    private final EngineRuntime runtime;
    private final Logger logger;
    private volatile LeaseLimit limit = new LeaseLimit(Optional.empty());

    StoreCalls(LockBackend backend, EngineRuntime runtime, Logger logger) {
        this.backend = backend;
        this.runtime = runtime;
        this.logger = logger;
    }

    void start(String clientId, BackendListener listener) {
        backend.start(clientId, listener);
        limit = new LeaseLimit(backend.longestLease()); // what only the store can tell is known now
    }

    void close() {
        backend.close();
    }

    /** Where to call the store about a resource when no caller's thread is at hand. */
    Executor worker(Resource resource) {
        return runtime.worker(backend.part(resource));
    }

    /** How long a request may be on its way. */
    Duration requestTimeout() {
        return backend.requestTimeout();
    }

    /** How long a lease may be. */
    LeaseLimit limit() {
        return limit;
    }

    /** Whether the store keeps what a client holds when the client has gone. */
    boolean outlivesClient() {
        return backend.outlivesClient();
    }

    /** Asks for a grant. Any exception but an unfit claim means that the outcome is unknown. */
    AttemptResult attempt(Claim claim, Duration patience) {
        return backend.attempt(claim, patience);
    }

    /** Whether the backend knows that asking again cannot help. */
    static boolean isLasting(@Nullable RuntimeException trouble) {
        return trouble instanceof LockStoreException known && known.isLasting();
    }

    /** A new exception for trouble of the store, with that trouble as its cause. It is unfit and lasting as that is. */
    static LockStoreException troubleLike(
            @Nullable RuntimeException trouble, LockKind kind, String name, String message) {
        boolean lasting = isLasting(trouble);
        return trouble instanceof LockStoreUnfitException
                ? new LockStoreUnfitException(kind, name, message, trouble, lasting)
                : new LockStoreException(kind, name, message, trouble, lasting);
    }

    /** Releases a claim once. False when the store did not answer. Never throws. */
    boolean release(Claim claim) {
        try {
            backend.release(claim);
            return true;
        } catch (Throwable unanswered) {
            logger.log(Level.DEBUG, "release of claim " + claim.id() + " was not answered", unanswered);
            return false;
        }
    }

    /** Renews claims, with one answer for each. Never throws: a call that failed is a failed answer for each. */
    List<RenewResult> renew(List<Renewal> renewals) {
        if (renewals.isEmpty()) {
            return List.of();
        }
        try {
            List<RenewResult> results = backend.renew(renewals);
            if (results.size() != renewals.size()) {
                throw new IllegalStateException(
                        "the backend answered " + results.size() + " of " + renewals.size() + " renewals");
            }
            return results;
        } catch (Throwable thrown) {
            RuntimeException trouble = thrown instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("the backend threw", thrown);
            List<RenewResult> failed = new ArrayList<>(renewals.size());
            renewals.forEach(renewal -> failed.add(new RenewResult.Failed(trouble)));
            return failed;
        }
    }

    // ---- looking, and breaking what was seen

    Optional<ResourceView> inspect(Resource resource) {
        String name = resource.name();
        return asked(
                resource.kind(),
                name,
                why -> "could not look at '" + name + "': " + why + "; check the store",
                () -> backend.inspect(resource));
    }

    Optional<ClientView> client(String id) {
        return asked(
                null,
                "",
                why -> "could not look at client " + id + ": " + why + "; check the store",
                () -> backend.client(id));
    }

    /** Which store it is; empty where nobody can tell, or not now. */
    Optional<String> storeId() {
        try {
            return backend.storeId();
        } catch (RuntimeException closed) {
            logger.log(Level.DEBUG, "which store it is cannot be told", closed);
            return Optional.empty();
        }
    }

    Optional<String> waitsOf(String client) {
        return asked(
                null,
                "",
                why -> "could not read who waits in client " + client + ": " + why + "; check the store",
                () -> backend.waitsOf(client));
    }

    List<String> clients() {
        return asked(null, "", why -> "could not list the clients: " + why + "; check the store", backend::clients);
    }

    /** Shows others who waits here. False when the store did not answer. Never throws. */
    boolean publishWaits(WaitRecord record) {
        try {
            backend.publishWaits(record);
            return true;
        } catch (Throwable unanswered) {
            logger.log(Level.DEBUG, "who waits here could not be published", unanswered);
            return false;
        }
    }

    /** Whether the store knew the claim. */
    boolean revoke(Claim claim) {
        String name = claim.resource().name();
        return asked(
                claim.resource().kind(),
                name,
                why -> "could not take '" + name + "' from its holder: " + why + "; check the store",
                () -> backend.revoke(claim));
    }

    /** Whether somebody else ended the claim. */
    boolean wasRevoked(Resource resource, ClaimId claim) {
        String name = resource.name();
        return asked(
                resource.kind(),
                name,
                why -> "could not ask how '" + name + "' ended: " + why + "; check the store",
                () -> backend.wasRevoked(resource, claim));
    }

    /** Looks at every name with that beginning. The store may be asked again and again while the stream is read. */
    Stream<ResourceView> list(String namePrefix) {
        UnaryOperator<String> message =
                why -> "could not list the names that begin with '" + namePrefix + "': " + why + "; check the store";
        Stream<ResourceView> views = asked(null, "", message, () -> backend.list(namePrefix));
        Iterator<ResourceView> each = asked(null, "", message, views::iterator);
        Spliterator<ResourceView> wrapped =
                new Spliterators.AbstractSpliterator<>(Long.MAX_VALUE, Spliterator.NONNULL) {
                    @Override
                    public boolean tryAdvance(Consumer<? super ResourceView> action) {
                        boolean more = asked(null, "", message, each::hasNext);
                        if (more) {
                            ResourceView next = asked(null, "", message, each::next);
                            action.accept(next); // outside: what the reader throws is no trouble of the store
                        }
                        return more;
                    }
                };
        return StreamSupport.stream(wrapped, false).onClose(views::close);
    }

    /** Trouble with the store is a {@link LockException}, whatever the backend throws. */
    private static <T> T asked(@Nullable LockKind kind, String name, UnaryOperator<String> message, Supplier<T> call) {
        try {
            return call.get();
        } catch (LockException known) {
            throw known;
        } catch (RuntimeException trouble) {
            throw new LockStoreException(kind, name, message.apply(String.valueOf(trouble.getMessage())), trouble);
        }
    }
}
