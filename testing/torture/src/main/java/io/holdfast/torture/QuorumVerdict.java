package io.holdfast.torture;

import java.util.ArrayList;
import java.util.List;

/** What is asked of a quorum beyond what is asked of every store: that it works while a majority does. */
final class QuorumVerdict {
    /** What is granted while a majority is up, of what was granted before the first fault. */
    private static final double FLOOR = 0.3;

    /** Less says nothing. */
    private static final long LEAST_UP_NANOS = 5_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    private final QuorumSite site;
    private final Harms harms;
    private final QuorumWatch watch;
    private final long leadInNanos = System.nanoTime();
    private long faultsNanos = leadInNanos;
    private String remark = "";

    QuorumVerdict(QuorumSite site, Crew crew, History history) {
        this.site = site;
        this.harms = new Harms(site.size(), site.spare(), crew.size());
        this.watch = new QuorumWatch(history, crew, harms, site.spare());
    }

    /** The lead-in is over. */
    void begin() {
        faultsNanos = System.nanoTime();
    }

    Harms harms() {
        return harms;
    }

    QuorumWatch watch() {
        return watch;
    }

    List<Violation> check(List<Hold> holds, List<Wait> waits, long stopNanos, long freeNanos) {
        List<Violation> found = new ArrayList<>(watch.found());
        Period all = new Period(leadInNanos, stopNanos);
        for (Subject subject : Subject.values()) {
            List<Period> calm = harms.whenAtMost(site.spareFor(subject), harms.allWorkers(), all);
            List<Wait> mine =
                    waits.stream().filter(wait -> wait.subject() == subject).toList();
            found.addAll(StuckWaiterChecker.check(holds, mine, calm, freeNanos));
        }
        Period faults = new Period(faultsNanos, stopNanos);
        List<Period> up = harms.whenAtMost(site.spare(), harms.allWorkers(), faults);
        long upNanos = nanos(up);
        double before = rate(holds, List.of(new Period(leadInNanos, faultsNanos)));
        double during = rate(holds, up);
        List<Period> well = harms.whenAtMost(0, harms.allWorkers(), faults);
        remark = String.format(
                java.util.Locale.ROOT,
                "%.0f grants/s before the first fault, %.0f while a majority was up (%.0f %% of the time), %.0f of these"
                        + " while some nodes were out (%.0f %%)",
                before,
                during,
                100.0 * upNanos / faults.nanos(),
                (count(holds, up) - count(holds, well)) * NANOS_PER_SECOND / Math.max(1, upNanos - nanos(well)),
                100.0 * (upNanos - nanos(well)) / faults.nanos());
        if (upNanos > LEAST_UP_NANOS && during < FLOOR * before) {
            found.add(new Violation(Rule.AVAILABILITY, stopNanos, remark));
        }
        return found;
    }

    String remark() {
        return remark;
    }

    private static double rate(List<Hold> holds, List<Period> periods) {
        return count(holds, periods) * NANOS_PER_SECOND / Math.max(1, nanos(periods));
    }

    private static long nanos(List<Period> periods) {
        return periods.stream().mapToLong(Period::nanos).sum();
    }

    private static long count(List<Hold> holds, List<Period> periods) {
        return holds.stream()
                .filter(hold -> periods.stream().anyMatch(period -> period.has(hold.startNanos())))
                .count();
    }
}
