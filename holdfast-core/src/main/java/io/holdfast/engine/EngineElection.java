package io.holdfast.engine;

import io.holdfast.Candidacy;
import io.holdfast.Fairness;
import io.holdfast.LeaderElection;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** An election as a mutex for which candidates stand in one line. */
final class EngineElection implements LeaderElection {
    private final Acquisitions services;
    private final Resource resource;
    private final LeaseAcquirer acquirer;
    private final Set<EngineCandidacy> running;

    /** @param running where candidacies are kept while they last, so that closing the client ends them */
    EngineElection(Acquisitions services, String name, LockOptions options, Set<EngineCandidacy> running) {
        this.services = services;
        this.resource = new Resource(LockKind.ELECTION, name, 1);
        LockOptions inLine = options.fairness(Fairness.FIFO);
        LockOptions labelled =
                inLine.label(options.label().orElse(services.life().clientId()));
        this.acquirer = new LeaseAcquirer(services, resource, 1, labelled, null);
        this.running = running;
    }

    @Override
    public String name() {
        return resource.name();
    }

    @Override
    public Candidacy stand(Work work) {
        Objects.requireNonNull(work, "work");
        services.life().ensureOpen();
        EngineCandidacy candidacy = new EngineCandidacy(services, acquirer, work, running);
        candidacy.start();
        return candidacy;
    }

    @Override
    public Optional<String> leader() {
        services.life().ensureOpen();
        return services.store()
                .inspect(resource)
                .flatMap(view -> view.holders().stream().findFirst())
                .map(ResourceView.Holder::label);
    }
}
