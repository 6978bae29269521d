package io.holdfast.zookeeper.backend;

import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.line.Encoding;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Where everything is. */
final class Paths {
    private static final String CLIENTS = ".clients";
    private static final String WAITS = ".waits";
    private static final Map<LockKind, String> WORDS = new EnumMap<>(LockKind.class);

    static {
        for (LockKind kind : LockKind.values()) {
            WORDS.put(kind, kind.name().toLowerCase(Locale.ROOT));
        }
    }

    private final String root;

    Paths(String root) {
        this.root = root;
    }

    String root() {
        return root;
    }

    String clients() {
        return root + '/' + CLIENTS;
    }

    String client(String clientId) {
        return clients() + '/' + Encoding.encode(clientId);
    }

    /** Who waits in a client. The client's own node is beside it. */
    String waits(String clientId) {
        return client(clientId) + WAITS;
    }

    /** The client of a node below that of the clients; empty if it only says who waits in one, or is not ours. */
    static Optional<String> clientOf(String node) {
        try {
            return node.endsWith(WAITS) ? Optional.empty() : Optional.of(Encoding.decode(node));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    String of(Resource resource) {
        return root + '/' + WORDS.get(resource.kind()) + ':' + Encoding.encode(resource.name());
    }

    /** The resource of a node below the root, with a capacity that is not known; empty if it is not one of ours. */
    static Optional<Resource> resource(String node) {
        int colon = node.indexOf(':');
        Optional<LockKind> kind = WORDS.entrySet().stream()
                .filter(each -> colon > 0 && each.getValue().equals(node.substring(0, colon)))
                .map(Map.Entry::getKey)
                .findFirst();
        try {
            return kind.map(each -> new Resource(each, Encoding.decode(node.substring(colon + 1)), 1));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }
}
