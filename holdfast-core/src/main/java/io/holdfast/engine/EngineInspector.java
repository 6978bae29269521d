package io.holdfast.engine;

import io.holdfast.Deadlock;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Shows what the store knows, in the words of the API. About its own client it knows more: which thread has a lock that
 * threads pass on among themselves, and who waits behind the client's claim. About other clients it shows what they
 * told the store. Asks about each client once per call.
 */
final class EngineInspector implements LockInspector {
    /** The number of a claim that the store does not know. */
    private static final long NO_CLAIM = 0;

    private final Acquisitions services;
    private final LocalLocks local;
    private final DeadlockSurvey survey;

    EngineInspector(Acquisitions services, LocalLocks local, DeadlockSurvey survey) {
        this.services = services;
        this.local = local;
        this.survey = survey;
    }

    @Override
    public Optional<LockStatus> find(LockKind kind, String name) {
        services.life().ensureOpen();
        Clients clients = new Clients();
        return services.store().inspect(resource(kind, name)).map(view -> status(view, clients));
    }

    @Override
    public Stream<LockStatus> list(String namePrefix) {
        services.life().ensureOpen();
        Clients clients = new Clients();
        return services.store()
                .list(Objects.requireNonNull(namePrefix, "namePrefix"))
                .map(view -> status(view, clients));
    }

    @Override
    public List<Deadlock> deadlocks() {
        services.life().ensureOpen();
        return survey.take();
    }

    @Override
    public boolean breakClaim(LockStatus lock, LockStatus.Claimant claimant) {
        services.life().ensureOpen();
        ClaimId id = new ClaimId(claimant.client().id(), claimant.claim());
        Resource resource = resource(lock.kind(), lock.name());
        return services.store()
                .inspect(resource)
                .flatMap(view -> label(view, id))
                .map(label -> Claim.builder(id, resource, Duration.ofSeconds(1))
                        .label(label)
                        .build())
                .map(services.store()::revoke)
                .orElse(false);
    }

    @Override
    public boolean wasBroken(LockStatus lock, LockStatus.Claimant claimant) {
        services.life().ensureOpen();
        return services.store()
                .wasRevoked(
                        resource(lock.kind(), lock.name()),
                        new ClaimId(claimant.client().id(), claimant.claim()));
    }

    private static Optional<String> label(ResourceView view, ClaimId id) {
        Stream<String> holding = view.holders().stream()
                .filter(holder -> holder.claim().equals(id))
                .map(ResourceView.Holder::label);
        Stream<String> waiting = view.waiting().stream()
                .filter(waiter -> waiter.claim().equals(id))
                .map(ResourceView.Waiting::label);
        return Stream.concat(holding, waiting).findFirst();
    }

    private static Resource resource(LockKind kind, String name) {
        return new Resource(Objects.requireNonNull(kind, "kind"), Names.checked(name), 1);
    }

    private LockStatus status(ResourceView view, Clients clients) {
        Resource resource = view.resource();
        LocalLock mine = local.find(resource);
        List<GateView> here = mine == null ? List.of() : mine.views();
        Map<ClaimId, String> ours = new HashMap<>();
        here.forEach(each -> ours.putAll(each.holders()));
        Lines lines = new Lines(resource, clients);
        return new StatusValues.Status(
                resource.kind(),
                resource.name(),
                resource.capacity(),
                view.holders().stream()
                        .<LockStatus.Holder>map(holder -> new StatusValues.Holder(
                                clients.get(holder.claim().client()),
                                holder.claim().sequence(),
                                ours.getOrDefault(holder.claim(), lines.label(holder)),
                                holder.weight(),
                                holder.token(),
                                holder.since(),
                                holder.left()))
                        .toList(),
                waiters(view, here, clients, lines));
    }

    /** The store's line, with those who wait behind a client's claim where that stands, or at the end. */
    private List<LockStatus.Waiter> waiters(ResourceView view, List<GateView> here, Clients clients, Lines lines) {
        Map<ClaimId, List<String>> inLine = new HashMap<>();
        List<LockStatus.Waiter> all = new ArrayList<>();
        List<LockStatus.Waiter> last = new ArrayList<>();
        Set<ClaimId> places = new HashSet<>();
        view.waiting().forEach(waiter -> places.add(waiter.claim()));
        for (GateView each : here) {
            if (each.pursued() != null
                    && places.contains(each.pursued())
                    && !each.waiting().isEmpty()) {
                inLine.put(each.pursued(), each.waiting());
            } else {
                addBehind(last, each.waiting(), clients);
            }
        }
        for (ResourceView.Waiting waiter : view.waiting()) {
            List<String> ours = inLine.getOrDefault(waiter.claim(), List.of(waiter.label()));
            all.add(new StatusValues.Waiter(
                    clients.get(waiter.claim().client()),
                    waiter.claim().sequence(),
                    ours.get(0),
                    waiter.weight(),
                    1,
                    waiter.since()));
            addBehind(all, ours.subList(1, ours.size()), clients);
            lines.addBehind(all, waiter.claim());
        }
        all.addAll(last);
        view.holders().forEach(holder -> lines.addBehind(all, holder.claim()));
        return List.copyOf(all);
    }

    private void addBehind(List<LockStatus.Waiter> all, List<String> labels, Clients clients) {
        labels.forEach(label -> all.add(new StatusValues.Waiter(
                clients.get(services.life().clientId()), NO_CLAIM, label, 1, 1, Optional.empty())));
    }

    /** The clients that were met on the way. */
    private final class Clients {
        private final Map<String, ClientView> known = new HashMap<>();

        LockStatus.Client get(String id) {
            ClientView view = view(id);
            return new StatusValues.Client(id, view.host(), view.pid(), view.name());
        }

        private ClientView view(String id) {
            return known.computeIfAbsent(
                    id, asked -> services.store().client(asked).orElse(ClientView.UNKNOWN));
        }

        /** What another client told of its own line; of its own this one knows better. */
        Optional<ClientLine> line(String id, Resource resource) {
            return id.equals(services.life().clientId()) || resource.kind() != LockKind.LOCK
                    ? Optional.empty()
                    : view(id).lines().stream()
                            .filter(line -> line.name().equals(resource.name()))
                            .findFirst();
        }
    }

    /** What other clients told of their own lines for one resource. */
    private static final class Lines {
        private final Resource resource;
        private final Clients clients;
        private final Set<String> told = new HashSet<>();

        Lines(Resource resource, Clients clients) {
            this.resource = resource;
            this.clients = clients;
        }

        /** Who has it: as its client told of this very claim, or else who asked the store. */
        String label(ResourceView.Holder holder) {
            Optional<ClientLine> line = clients.line(holder.claim().client(), resource);
            String label = line.filter(each -> each.claim() == holder.claim().sequence())
                    .map(ClientLine::holder)
                    .orElse(holder.label());
            int behind = line.map(ClientLine::behind).orElse(0);
            return behind == 0 ? label : label + ", one of " + (behind + 1L) + " threads";
        }

        /** One entry for all who wait behind a claim of their client, once for each client. */
        void addBehind(List<LockStatus.Waiter> all, ClaimId claim) {
            int behind = clients.line(claim.client(), resource)
                    .map(ClientLine::behind)
                    .orElse(0);
            if (behind > 0 && told.add(claim.client())) {
                String label = "and " + behind + " more in this process";
                all.add(new StatusValues.Waiter(
                        clients.get(claim.client()), NO_CLAIM, label, 1, behind, Optional.empty()));
            }
        }
    }
}
