package io.holdfast.comparison;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What the libraries are asked to do. */
enum Workload {
    UNCONTENDED_1(1, 1, "one thread, a lock of its own"),
    UNCONTENDED_16(1, 16, "16 threads, each with a lock of its own"),
    ONE_KEY_16(1, 16, "16 threads of one JVM on one lock"),
    ONE_KEY_4X4(4, 4, "4 JVMs with 4 threads each on one lock"),
    ONE_KEY_256(4, 64, "4 JVMs with 64 threads each on one lock"),
    ONE_KEY_10000(4, 2_500, "4 JVMs with 2,500 threads each on one lock"),
    REENTRY(1, 1, "lock and unlock by the thread that has the lock"),
    READ_WRITE(1, 16, "16 threads on one read-write lock, nine reads to one write"),
    READ_WRITE_4X4(4, 4, "4 JVMs with 4 threads each on one read-write lock, nine reads to one write"),
    SEMAPHORE(1, 16, "16 threads on a semaphore with 4 permits"),
    SEMAPHORE_4X4(4, 4, "4 JVMs with 4 threads each on a semaphore with 4 permits"),
    HELD_10000(1, 1, "10,000 locks held and renewed; a cycle is one lock held for two leases, a minute by default"),
    HANDOVER(2, 1, "release in one JVM until acquired in another that waits"),
    RECOVERY(2, 1, "kill -9 of the holder until another JVM has the lock, lease of 6 s");

    private final int jvms;
    private final int threads;
    private final String description;

    Workload(int jvms, int threads, String description) {
        this.jvms = jvms;
        this.threads = threads;
        this.description = description;
    }

    /** The name on the command line, in tables and in files. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(Workload::label).toList();
    }

    static Optional<Workload> labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    int jvms() {
        return jvms;
    }

    /** Threads in each JVM. */
    int threads() {
        return threads;
    }

    String description() {
        return description;
    }

    /** How many times as long its rounds are: everybody has a turn, or some, in each. */
    int patience() {
        return this == ONE_KEY_10000 ? 10 : 1;
    }

    /** Whether how often it can be done in a second says anything. */
    boolean hasRate() {
        return this != HELD_10000 && this != RECOVERY;
    }

    boolean suits(Library library) {
        if (library == Library.LIMIT) {
            return this == UNCONTENDED_1 || this == UNCONTENDED_16;
        }
        if (this == ONE_KEY_10000) { // the others need minutes for one turn of each
            return library.label().startsWith("holdfast");
        }
        return needs().stream().allMatch(library::offers);
    }

    private Set<Feature> needs() {
        return switch (this) {
            case UNCONTENDED_1, UNCONTENDED_16 -> Set.of();
            case ONE_KEY_16, ONE_KEY_4X4, ONE_KEY_256, ONE_KEY_10000, HANDOVER -> Set.of(Feature.WAITING);
            case REENTRY -> Set.of(Feature.REENTRY);
            case READ_WRITE, READ_WRITE_4X4 -> Set.of(Feature.WAITING, Feature.READ_WRITE);
            case SEMAPHORE, SEMAPHORE_4X4 -> Set.of(Feature.WAITING, Feature.SEMAPHORE);
            case HELD_10000 -> Set.of(Feature.RENEWAL);
            case RECOVERY -> Set.of(Feature.WAITING, Feature.RENEWAL);
        };
    }
}
