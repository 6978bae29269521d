package io.holdfast.simulation;

import io.holdfast.LostReason;
import java.util.EnumMap;
import java.util.Map;

/** What one run, or many, came to. */
final class Stats {
    private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
    private final Map<Ending, Long> endings = new EnumMap<>(Ending.class);
    private final Map<LostReason, Long> losses = new EnumMap<>(LostReason.class);
    private final Map<View, Long> views = new EnumMap<>(View.class);
    private final Map<Sharing, Long> sharing = new EnumMap<>(Sharing.class);
    private boolean faulty = true;
    private long events;
    private long virtualNanos;
    private long storeCalls;
    private long renewals;
    private long longestWaitNanos;
    private long orphans;
    private long endedEarly;

    /** How an operation ended. */
    enum Ending {
        LEASED,
        EMPTY,
        FAILED,
        CANCELLED,
        CLIENT_CLOSED,
        CLIENT_KILLED
    }

    /** What happened to a thread that locks and unlocks. */
    enum View {
        LOCKED,
        ALL_LOCKED,
        REENTERED,
        LOST_AND_SKIPPED,
        LOST_AT_UNLOCK,
        LOST_AT_REENTRY
    }

    /** How somebody got a lease of what its client had already, of a read-write lock or a semaphore. */
    enum Sharing {
        /** Somebody else had one of the same claim. */
        JOINED,
        /** Nobody else had one any more. */
        PASSED_ON
    }

    void gotShare(Sharing how) {
        sharing.merge(how, 1L, Long::sum);
    }

    long shared(Sharing how) {
        return sharing.getOrDefault(how, 0L);
    }

    void viewed(View what) {
        views.merge(what, 1L, Long::sum);
    }

    long views(View what) {
        return views.getOrDefault(what, 0L);
    }

    /** Whether anything may still go wrong. */
    boolean isFaulty() {
        return faulty;
    }

    void heal() {
        faulty = false;
    }

    void count(FaultKind kind) {
        faults.merge(kind, 1L, Long::sum);
    }

    void ended(Ending ending) {
        endings.merge(ending, 1L, Long::sum);
    }

    void lost(LostReason reason) {
        losses.merge(reason, 1L, Long::sum);
    }

    void called() {
        storeCalls++;
    }

    void renewed() {
        renewals++;
    }

    void orphaned() {
        orphans++;
    }

    /** A listener heard of an end before it heard of the beginning. */
    void endedEarly() {
        endedEarly++;
    }

    void waited(long nanos) {
        longestWaitNanos = Math.max(longestWaitNanos, nanos);
    }

    void ran(long happened, long nanos) {
        events = happened;
        virtualNanos = nanos;
    }

    long faults(FaultKind kind) {
        return faults.getOrDefault(kind, 0L);
    }

    long faults() {
        return faults.values().stream().mapToLong(Long::longValue).sum();
    }

    long endings(Ending... which) {
        long sum = 0;
        for (Ending ending : which) {
            sum += endings.getOrDefault(ending, 0L);
        }
        return sum;
    }

    long operations() {
        return endings(Ending.values());
    }

    long losses() {
        return losses.values().stream().mapToLong(Long::longValue).sum();
    }

    long renewals() {
        return renewals;
    }

    synchronized void add(Stats other) {
        other.faults.forEach((kind, count) -> faults.merge(kind, count, Long::sum));
        other.endings.forEach((ending, count) -> endings.merge(ending, count, Long::sum));
        other.views.forEach((what, count) -> views.merge(what, count, Long::sum));
        other.sharing.forEach((how, count) -> sharing.merge(how, count, Long::sum));
        other.losses.forEach((reason, count) -> losses.merge(reason, count, Long::sum));
        events += other.events;
        virtualNanos += other.virtualNanos;
        storeCalls += other.storeCalls;
        renewals += other.renewals;
        orphans += other.orphans;
        endedEarly += other.endedEarly;
        waited(other.longestWaitNanos);
    }

    @Override
    public String toString() {
        return "operations " + operations() + " " + endings + "\nlosses " + losses() + " " + losses + ", renewals "
                + renewals + ", store calls " + storeCalls + (views.isEmpty() ? "" : "\nthreads " + views) + "\nshared "
                + sharing + "\nfaults "
                + faults() + " " + faults + "\norphans "
                + orphans + ", ends told before beginnings " + endedEarly + ", longest wait "
                + Trace.seconds(longestWaitNanos) + " s, virtual time "
                + Trace.seconds(virtualNanos) + " s, events " + events;
    }
}
