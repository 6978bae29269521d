package io.holdfast.engine;

import io.holdfast.LockKind;
import org.jspecify.annotations.Nullable;

/** What never changes of a lease: of which grant it was made, and under which token. A part of {@link EngineLease}. */
abstract class LeaseOfGrant extends LeaseTerms {
    final StoreGrant grant;
    final long token;
    private final String label;

    /** The thread that asked for it, or null, and whether it belongs to that thread. */
    final @Nullable Thread thread;

    final boolean owned;

    /** The hold for Flight Recorder, or null. */
    final @Nullable Object flight = Flight.holding();

    LeaseOfGrant(StoreGrant grant, long token, Request request, long sinceNanos) {
        super(request.options(), sinceNanos);
        this.grant = grant;
        this.token = token;
        this.label = request.label();
        this.thread = request.thread();
        this.owned = request.owned();
    }

    final StoreGrant grant() {
        return grant;
    }

    public final LockKind kind() {
        return grant.claim().resource().kind();
    }

    public final String name() {
        return grant.claim().resource().name();
    }

    public final long token() {
        return token;
    }

    public final String id() {
        return grant.claim().id().toString();
    }

    public final @Nullable Object owner() {
        return options().owner().isPresent() ? options().owner().get() : thread;
    }

    public final boolean isOwned() {
        return owned || options().owner().isPresent();
    }

    public final String label() {
        return label;
    }
}
