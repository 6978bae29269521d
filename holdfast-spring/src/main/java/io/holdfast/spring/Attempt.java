package io.holdfast.spring;

import io.holdfast.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of one call without a thread to its locks and back. {@link #start} asks for what is missing, {@link #end}
 * gives back whatever has come of it, at any time and however often: what is still asked for is given up, and a grant
 * that comes all the same is given back.
 *
 * <p>What is borrowed from a call around is shared until the end, so that it outlives that call.
 */
final class Attempt {
    private final LocksContext context;
    private final LockRules rules;
    private final LockClient client;
    private final Cover cover;
    private volatile @Nullable Taking taking;
    private volatile @Nullable CompletableFuture<Optional<Section>> entered;
    private volatile boolean ended;

    Attempt(LocksContext context, LockRules rules, List<String> names, List<Holding> around) {
        this.context = context;
        this.rules = rules;
        this.client = context.client(rules.client());
        LeastTime.check(client, rules);
        Cover found = Cover.of(around, client.id(), rules.kind(), names);
        share(found.lenders(), names);
        found.staysFor(rules);
        this.cover = found;
    }

    /** All or none: what is shared and never given back would be held for ever. */
    private static void share(List<Holding> lenders, List<String> names) {
        List<Holding> shared = lenders.stream().takeWhile(Holding::share).toList();
        if (shared.size() < lenders.size()) {
            shared.forEach(Holding::releaseAsync);
            throw new IllegalStateException("the call around gave back one of " + names + " at this moment;"
                    + " wait for what it begins, or let it begin nothing that outlives it");
        }
    }

    boolean asksTheStore() {
        return !cover.missing().isEmpty();
    }

    /** Whose locks the call leans on. */
    List<Holding> lenders() {
        return cover.lenders();
    }

    /** See {@link Cover#endingAtReturn}. */
    List<Holding> endingAtReturn() {
        return cover.endingAtReturn(rules);
    }

    /** Completes with empty when somebody else has a name until the time is up. Called once. */
    CompletableFuture<Optional<Section>> start() {
        CompletableFuture<Optional<Section>> result;
        if (!asksTheStore()) {
            result = CompletableFuture.completedFuture(Optional.of(cover.section(null)));
        } else {
            Taking asked = new LeaseTaker(client, rules)
                    .takeAsync(cover.missing(), rules.waitFor().orElseGet(context.settings()::waitFor));
            taking = asked;
            result = asked.leases()
                    .thenApply(leases -> leases.map(found -> cover.section(new Holding(client.id(), rules, found))));
        }
        entered = result;
        return result;
    }

    /** Stops asking. What has been granted stays until the end. */
    void giveUp() {
        if (taking != null) {
            taking.cancel();
        }
    }

    /** Everything that the call may lean on. */
    List<Holding> holdings(Section section) {
        if (section.own() == null) {
            return cover.lenders();
        }
        List<Holding> all = new ArrayList<>(cover.lenders());
        all.add(section.own());
        return all;
    }

    /** Completes when everything has been given back, or tried to be. */
    CompletableFuture<?> end() {
        if (ended) {
            return CompletableFuture.completedFuture(null);
        }
        ended = true;
        giveUp();
        CompletableFuture<Void> lent = CompletableFuture.allOf(
                cover.lenders().stream().map(Holding::releaseAsync).toArray(CompletableFuture[]::new));
        CompletableFuture<Optional<Section>> outcome = entered;
        if (outcome == null) {
            return lent;
        }
        return outcome.handle((section, failure) ->
                        failure == null ? section.map(Section::own).orElse(null) : null)
                .thenCompose(own -> own == null ? lent : CompletableFuture.allOf(own.releaseAsync(), lent));
    }
}
