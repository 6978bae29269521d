package io.holdfast.comparison;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What is compared. */
enum Library {
    HOLDFAST,
    HOLDFAST_FIFO,
    REDISSON,
    REDISSON_FAIR,
    REDISSON_FENCED,
    SPRING_PUBSUB,
    SPRING_SPIN,
    SHEDLOCK,
    CURATOR,
    /** No lock at all: as many trips to the server as Holdfast makes, with an empty script. */
    LIMIT;

    /** The name on the command line, in tables and in files. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(Library::label).toList();
    }

    static Optional<Library> labelled(String label) {
        return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
    }

    /** The version of what really runs, as its archive says. */
    String version() {
        return "?";
    }

    /** How it is set up, in a sentence for the reader. */
    String setup() {
        return "";
    }

    boolean offers(Feature feature) {
        return features().contains(feature);
    }

    private Set<Feature> features() {
        return Set.of(Feature.values());
    }

    /** Whether its store is ZooKeeper and not Redis. */
    boolean usesZooKeeper() {
        return this == CURATOR;
    }

    /**
     * Connects.
     *
     * @param store {@code redis://host:port}, or for ZooKeeper {@code host:port}
     * @param lease how long a lock outlives a holder that died
     */
    Peer open(String store, Duration lease) throws Exception {
        throw new UnsupportedOperationException();
    }
}
