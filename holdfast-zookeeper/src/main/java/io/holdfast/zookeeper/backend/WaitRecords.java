package io.holdfast.zookeeper.backend;

import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;

/** What clients say of who waits in them: a node for each, as long as its session lasts. */
final class WaitRecords {
    private final Paths paths;

    WaitRecords(Paths paths) {
        this.paths = paths;
    }

    boolean publish(Session session, WaitRecord record, Answers answers) throws KeeperException {
        String path = paths.waits(record.client());
        if (record.suspects().isEmpty()) {
            return answers.await(session.nodes().delete(path));
        }
        byte[] text = WaitText.of(record).getBytes(StandardCharsets.UTF_8);
        try {
            answers.await(session.nodes().write(path, text));
        } catch (NoNodeException first) {
            answers.await(session.nodes().create(path, text, CreateMode.EPHEMERAL));
        }
        return true;
    }

    /** The clients that have a session. */
    List<String> clients(Session session, Answers answers) throws KeeperException {
        return answers.await(session.nodes().children(paths.clients(), null)).stream()
                .flatMap(node -> Paths.clientOf(node).stream())
                .toList();
    }

    /** A server may be behind the others: it catches up first. */
    Optional<String> of(Session session, String clientId, Answers answers) throws KeeperException {
        String path = paths.waits(clientId);
        CompletableFuture<Boolean> fresh = session.nodes().sync(paths.clients());
        CompletableFuture<Nodes.Content> content = session.nodes().read(path);
        answers.await(fresh);
        try {
            return Optional.of(new String(answers.await(content).data(), StandardCharsets.UTF_8));
        } catch (NoNodeException nobodyWaits) {
            return Optional.empty();
        }
    }
}
