package io.holdfast.zookeeper.backend;

import io.holdfast.spi.ClientView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.zookeeper.line.Line;
import io.holdfast.zookeeper.line.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;

/** Looks without changing anything. Everything that can be asked at once is. */
final class Inspector {
    private final Paths paths;
    private final Lines lines;
    private final HeldClaims claims;

    /** A resource, and its children when they have come. */
    private record Asked(Resource resource, CompletableFuture<List<String>> children) {}

    Inspector(Paths paths, Lines lines, HeldClaims claims) {
        this.paths = paths;
        this.lines = lines;
        this.claims = claims;
    }

    Optional<ResourceView> inspect(Session session, Resource resource, Answers answers) throws KeeperException {
        CompletableFuture<Boolean> fresh = session.nodes().sync(paths.root());
        Asked asked = ask(session, resource);
        answers.await(fresh);
        return views(session, List.of(asked), answers).stream().findFirst();
    }

    /** The resources whose names begin so. */
    List<Resource> find(Session session, String namePrefix, Answers answers) throws KeeperException {
        CompletableFuture<Boolean> fresh = session.nodes().sync(paths.root());
        CompletableFuture<List<String>> names = session.nodes().children(paths.root(), null);
        answers.await(fresh);
        return answers.await(names).stream()
                .flatMap(name -> Paths.resource(name).stream())
                .filter(resource -> resource.name().startsWith(namePrefix))
                .toList();
    }

    List<ResourceView> look(Session session, List<Resource> resources, Answers answers) throws KeeperException {
        return views(
                session,
                resources.stream().map(resource -> ask(session, resource)).toList(),
                answers);
    }

    private Asked ask(Session session, Resource resource) {
        return new Asked(resource, session.nodes().children(paths.of(resource), null));
    }

    /** Of all resources the contents of all nodes are asked for before the first answer is read. */
    private List<ResourceView> views(Session session, List<Asked> asked, Answers answers) throws KeeperException {
        Map<Resource, Line> found = new LinkedHashMap<>();
        Map<Member, CompletableFuture<Nodes.Content>> contents = new LinkedHashMap<>();
        for (Asked each : asked) {
            Line line = lines.of(each.resource, answers.await(each.children));
            if (!line.isEmpty()) {
                found.put(each.resource, line);
                String parent = paths.of(each.resource) + '/';
                Stream.concat(line.holders(), line.waiting())
                        .forEach(member -> contents.put(member, session.nodes().read(parent + member.node())));
            }
        }
        List<ResourceView> views = new ArrayList<>();
        for (Map.Entry<Resource, Line> each : found.entrySet()) {
            view(each.getKey(), each.getValue(), contents, answers).ifPresent(views::add);
        }
        return views;
    }

    private Optional<ResourceView> view(
            Resource resource, Line line, Map<Member, CompletableFuture<Nodes.Content>> contents, Answers answers)
            throws KeeperException {
        List<ResourceView.Holder> holders = new ArrayList<>();
        for (Member member : line.holders().toList()) {
            content(contents, member, answers).ifPresent(content -> holders.add(holder(member, content)));
        }
        List<ResourceView.Waiting> waiting = new ArrayList<>();
        for (Member member : line.waiting().toList()) {
            content(contents, member, answers)
                    .ifPresent(content -> waiting.add(new ResourceView.Waiting(
                            member.claim(),
                            member.weight(),
                            ClaimData.read(content.data()).label(),
                            Optional.of(Instant.ofEpochMilli(content.stat().getCtime())))));
        }
        return holders.isEmpty() && waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(new ResourceView(
                        new Resource(resource.kind(), resource.name(), line.capacity()), holders, waiting));
    }

    /** Empty if it has left meanwhile. */
    private static Optional<Nodes.Content> content(
            Map<Member, CompletableFuture<Nodes.Content>> contents, Member member, Answers answers)
            throws KeeperException {
        CompletableFuture<Nodes.Content> content = contents.get(member);
        if (content == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(answers.await(content));
        } catch (NoNodeException gone) {
            return Optional.empty();
        }
    }

    /** Only its own client knows how much of a lease is left; others see how long it is without a renewal. */
    private ResourceView.Holder holder(Member member, Nodes.Content content) {
        ClaimData data = ClaimData.read(content.data());
        Duration left = claims.left(member.claim());
        return new ResourceView.Holder(
                member.claim(),
                member.weight(),
                Attempts.token(content.stat().getCzxid()) + member.tokens() - 1,
                left == null ? data.lease() : left,
                data.label());
    }

    Optional<ClientView> client(Session session, String clientId, Answers answers) throws KeeperException {
        try {
            Nodes.Content content = answers.await(session.nodes().read(paths.client(clientId)));
            return Optional.of(ClientRecord.read(content.data()));
        } catch (NoNodeException unknown) {
            return Optional.empty();
        }
    }
}
