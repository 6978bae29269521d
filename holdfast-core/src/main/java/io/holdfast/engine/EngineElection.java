package io.holdfast.engine;

import io.holdfast.Candidacy;
import io.holdfast.Fairness;
import io.holdfast.LeaderElection;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** An election as a mutex for which candidates stand in one line. */
final class EngineElection implements LeaderElection {
    private final EngineContext context;
    private final Resource resource;
    private final LeaseAcquirer acquirer;
    private final Set<EngineCandidacy> running;

    /** @param running where candidacies are kept while they last, so that closing the client ends them */
    EngineElection(EngineContext context, String name, LockOptions options, Set<EngineCandidacy> running) {
        this.context = context;
        this.resource = new Resource(LockKind.ELECTION, name, 1);
        LockOptions inLine = options.fairness(Fairness.FIFO);
        LockOptions labelled = inLine.label(options.label().orElse(context.clientId()));
        this.acquirer = new LeaseAcquirer(context, resource, 1, labelled, null);
        this.running = running;
    }

    @Override
    public String name() {
        return resource.name();
    }

    @Override
    public Candidacy onLeader(Consumer<Lease> work) {
        Objects.requireNonNull(work, "work");
        context.ensureOpen();
        EngineCandidacy candidacy = new EngineCandidacy(context, acquirer, work, running);
        candidacy.start();
        return candidacy;
    }

    @Override
    public Optional<String> leader() {
        context.ensureOpen();
        return context.inspect(resource)
                .flatMap(view -> view.holders().stream().findFirst())
                .map(ResourceView.Holder::label);
    }
}
