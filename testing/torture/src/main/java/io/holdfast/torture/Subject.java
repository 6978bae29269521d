package io.holdfast.torture;

import io.holdfast.Fairness;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Arrays;

/** The names that all workers fight for, each held in a way of its own. */
enum Subject {
    /** First come, first served. */
    LINE(Kind.LOCK, 1, 2_000, true, Fairness.FIFO, 22),
    /** Passed on inside a client. */
    COHORT(Kind.LOCK, 1, 2_000, true, Fairness.THROUGHPUT, 22),
    /** Little wanted, so mostly free. */
    QUIET(Kind.LOCK, 1, 2_000, true, Fairness.THROUGHPUT, 8),
    /** Held for longer than its lease now and then: lives on renewals. One thread of each worker wants nothing else. */
    LONG(Kind.LOCK, 1, 1_000, true, Fairness.FIFO, 0),
    /** Nothing renews it, and now and then it runs out. */
    FIXED(Kind.LOCK, 1, 800, false, Fairness.FIFO, 10),
    BOOK(Kind.READ_WRITE, 1_000, 2_000, true, Fairness.THROUGHPUT, 18),
    POOL(Kind.SEMAPHORE, 3, 2_000, true, Fairness.THROUGHPUT, 12),
    /**
     * Where there are replicas: held over a failover, with the longest lease in use. One thread of each worker wants
     * nothing else.
     */
    KEPT(Kind.LOCK, 1, 0, true, Fairness.FIFO, 0);

    /** Which of the client's methods opens it. */
    enum Kind {
        LOCK,
        READ_WRITE,
        SEMAPHORE
    }

    /** The longest lease of all but the last of them, and of a grant that was given to somebody who waited. */
    static final Duration LONGEST_LEASE = Duration.ofSeconds(3);

    private final Kind kind;
    private final int capacity;
    private final int leaseMillis;
    private final boolean renewed;
    private final Fairness fairness;
    private final int share;

    Subject(Kind kind, int capacity, int leaseMillis, boolean renewed, Fairness fairness, int share) {
        this.kind = kind;
        this.capacity = capacity;
        this.leaseMillis = leaseMillis;
        this.renewed = renewed;
        this.fairness = fairness;
        this.share = share;
    }

    Kind kind() {
        return kind;
    }

    /** How much may be held at once: a writer holds all of it. */
    int capacity() {
        return capacity;
    }

    boolean isServedByTheServer() {
        return kind == Kind.LOCK && fairness == Fairness.FIFO;
    }

    boolean isUsedIn(Mode mode) {
        return this != KEPT || mode.isReplicated();
    }

    /** How it is taken, where that is the longest lease in use. */
    LockOptions options(Duration longestLease) {
        LockOptions options = LockOptions.defaults().fairness(fairness);
        Duration lease = this == KEPT ? longestLease : Duration.ofMillis(leaseMillis);
        return renewed ? options.lease(lease) : options.fixedLease(lease);
    }

    /** One of them, the more often the more wanted it is. */
    static Subject pick(Rng rng) {
        int draw = rng.below(
                Arrays.stream(values()).mapToInt(subject -> subject.share).sum());
        for (Subject subject : values()) {
            draw -= subject.share;
            if (draw < 0) {
                return subject;
            }
        }
        throw new IllegalStateException("shares changed");
    }
}
