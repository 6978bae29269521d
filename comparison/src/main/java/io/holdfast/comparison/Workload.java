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
    ONE_KEY_16(1, 16, "16 threads of one JVM on one lock", Feature.WAITING),
    ONE_KEY_4X4(4, 4, "4 JVMs with 4 threads each on one lock", Feature.WAITING),
    ONE_KEY_256(4, 64, "4 JVMs with 64 threads each on one lock", Feature.WAITING),
    REENTRY(1, 1, "lock and unlock by the thread that has the lock", Feature.REENTRY),
    READ_WRITE(1, 16, "16 threads on one read-write lock, nine reads to one write", Feature.WAITING, Feature.READ_WRITE),
    SEMAPHORE(1, 16, "16 threads on a semaphore with 4 permits", Feature.WAITING, Feature.SEMAPHORE),
    HELD_10000(1, 1, "10,000 locks held and renewed; a cycle is one lock held for two leases, a minute by default", Feature.RENEWAL),
    HANDOVER(2, 1, "release in one JVM until acquired in another that waits", Feature.WAITING),
    RECOVERY(2, 1, "kill -9 of the holder until another JVM has the lock, lease of 6 s", Feature.WAITING, Feature.RENEWAL);

    private final int jvms;
    private final int threads;
    private final String description;
    private final Set<Feature> needs;

    Workload(int jvms, int threads, String description, Feature... needs) {
        this.jvms = jvms;
        this.threads = threads;
        this.description = description;
        this.needs = Set.of(needs);
    }

    /** The name on the command line, in tables and in files. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(Workload::label).toList();
    }

    static Optional<Workload> labelled(String label) {
        return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
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

    boolean suits(Library library) {
        if (library == Library.LIMIT) {
            return this == UNCONTENDED_1 || this == UNCONTENDED_16;
        }
        return needs.stream().allMatch(library::offers);
    }
}
