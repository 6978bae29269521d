package io.holdfast.zookeeper.backend;

import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.line.Encoding;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where everything is. */
final class Paths {
    private static final String CLIENTS = ".clients";

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

    String of(Resource resource) {
        return root + '/' + word(resource.kind()) + ':' + Encoding.encode(resource.name());
    }

    private static String word(LockKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The resource of a node below the root, with a capacity that is not known; empty if it is not one of ours. */
    static Optional<Resource> resource(String node) {
        int colon = node.indexOf(':');
        Optional<LockKind> kind = Arrays.stream(LockKind.values())
                .filter(each -> colon > 0 && word(each).equals(node.substring(0, colon)))
                .findFirst();
        try {
            return kind.map(each -> new Resource(each, Encoding.decode(node.substring(colon + 1)), 1));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }
}
