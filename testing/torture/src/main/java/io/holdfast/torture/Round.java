package io.holdfast.torture;

import io.holdfast.testing.process.Folders;
import io.holdfast.testing.redis.ClockShim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fresh servers, fresh workers, faults for a while, calm, and the verdict. */
final class Round {
    private static final int READ_MILLIS = 50;
    private static final int SAMPLE_MILLIS = 1_000;

    /** After so many faults all is left alone for long enough to see a stuck waiter. */
    private static final int FAULTS_PER_CALM = 8;

    /** In a quorum most faults leave all as well as before, so that waiters are watched all the time. */
    private static final int FAULTS_PER_CALM_OF_A_QUORUM = 24;

    /** One of so many comes alone. */
    private static final int FAULTS_PER_SINGLE = 3;

    private final RoundSettings settings;
    private final Progress progress;
    private final History history = new History();
    private final Tally tally = new Tally();
    private final List<Injection> injections = new ArrayList<>();
    private final List<Period> calm = new ArrayList<>();
    private final List<Violation> found = new ArrayList<>();
    private final List<String> schedule = new ArrayList<>();
    private @Nullable QuorumVerdict quorum;
    private volatile boolean over;

    /** Hears how far a round is. */
    interface Progress {
        void at(long operations, long faults);
    }

    Round(RoundSettings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
    }

    Tally run() {
        makeFolder();
        try (Site site = Site.start(settings);
                FencedStore store = new FencedStore();
                Crew crew = new Crew(
                        site,
                        settings.safety(),
                        settings.mode().longestLease(settings.safety()),
                        store,
                        history,
                        settings.folder(),
                        settings.seed(),
                        settings.threads(),
                        settings.sabotage())) {
            LeakChecker leaks = LeakChecker.of(site, settings.mode().longestLease(settings.safety()));
            Thread reader = Threads.start("history", () -> repeat(READ_MILLIS, this::read));
            Thread sampler = Threads.start("leaks", () -> repeat(SAMPLE_MILLIS, leaks::sample));
            crew.start(settings.workers());
            torment(site, crew);
            long stopNanos = System.nanoTime();
            if (quorum != null) {
                quorum.watch().end();
            }
            found.addAll(crew.stop());
            over = true;
            join(reader);
            join(sampler);
            if (!settings.isControl()) {
                leaks.checkEnd();
            }
            history.read();
            judge(store, leaks, stopNanos);
            tally.round(history, store, leaks);
        }
        tidy();
        return tally;
    }

    private void repeat(int millis, Runnable work) {
        while (!over) {
            work.run();
            Threads.sleep(millis);
        }
    }

    private void read() {
        history.read();
        progress.at(history.operations(), tally.faults());
    }

    private void torment(Site site, Crew crew) {
        Rng rng = Rng.of(settings.seed(), 1);
        List<Fault> choices = settings.choices().stream()
                .filter(fault -> !fault.movesClock() || ClockShim.isSupported())
                .toList();
        long startNanos = System.nanoTime();
        recovered(crew, startNanos, "the start");
        Striker striker = striker(site, crew, choices);
        long endNanos = System.nanoTime() + settings.time().toNanos();
        List<Fault> left = new ArrayList<>();
        for (int number = 1; System.nanoTime() - endNanos < 0 && !choices.isEmpty() && isFine(); number++) {
            if (left.isEmpty()) {
                left.addAll(choices);
            }
            // Each of them once before any of them again: a short round meets as many as it can.
            boolean mixed = number % FAULTS_PER_SINGLE != 1 && choices.contains(Fault.MIX);
            Fault fault = mixed ? Fault.MIX : left.remove(next(number, left, rng));
            strike(striker, crew, fault, Rng.of(settings.seed(), 2, number));
            if (number % (quorum == null ? FAULTS_PER_CALM : FAULTS_PER_CALM_OF_A_QUORUM) == 0) {
                beCalm();
            } else {
                Threads.sleep(quorum == null ? rng.between(200, 2_000) : rng.between(50, 400));
            }
        }
        if (choices.isEmpty()) {
            Threads.sleep(Math.max(0, (endNanos - System.nanoTime()) / 1_000_000));
        }
        if (!settings.isControl()) {
            beCalm();
            checkAllUsed();
        }
    }

    /** Those that take longest come first, or they would hardly ever come. */
    private static int next(int number, List<Fault> left, Rng rng) {
        int first = Math.max(left.indexOf(Fault.ROLLING_RESTART), left.indexOf(Fault.PARTITION));
        return number == 1 && first >= 0 ? first : rng.below(left.size());
    }

    private Striker striker(Site site, Crew crew, List<Fault> choices) {
        if (site instanceof QuorumSite nodes) {
            QuorumVerdict verdict = new QuorumVerdict(nodes, crew, history);
            quorum = verdict;
            Threads.sleep(settings.leadIn().toMillis());
            verdict.begin();
            return new QuorumNemesis(nodes, crew, verdict.harms(), verdict.watch(), choices);
        }
        if (site instanceof JdbcSite database) {
            return new JdbcNemesis(database, settings.safety(), crew);
        }
        if (site instanceof ZooKeeperSite ensemble) {
            return new ZooKeeperNemesis(ensemble, crew);
        }
        return new Nemesis(settings.mode(), settings.safety(), settings.shut(), site, crew, found::add);
    }

    private boolean isFine() {
        return found.isEmpty() && (quorum == null || quorum.watch().found().isEmpty());
    }

    private void strike(Striker striker, Crew crew, Fault fault, Rng rng) {
        List<Blow> blows = striker.strike(fault, rng);
        Blow whole = blows.get(0);
        String what = fault.row() + " " + fault.title() + ", " + whole.detail();
        long firstNanos = recovered(crew, whole.healedNanos(), what);
        injected(whole, firstNanos, System.nanoTime());
        // Which of its parts somebody recovers from, nobody can tell.
        blows.stream().skip(1).forEach(part -> injected(part, part.healedNanos(), part.healedNanos()));
    }

    private void injected(Blow blow, long firstNanos, long recoveredNanos) {
        Injection injection = new Injection(
                blow.fault(),
                blow.detail(),
                blow.startNanos(),
                blow.healedNanos(),
                firstNanos,
                recoveredNanos,
                blow.documented(),
                settings.mode().longestLease(settings.safety()).plusSeconds(1));
        injections.add(injection);
        tally.injected(injection);
        schedule.add(blow.startNanos() + " to " + blow.healedNanos() + " "
                + blow.fault().row() + " " + blow.fault().title() + ": " + blow.detail()
                + (blow.documented() ? " (may break)" : "") + ", recovered after "
                + Text.millis(injection.recoveryNanos()));
    }

    /** Waits until every worker has had a lease since then; returns when the first of them had. */
    private long recovered(Crew crew, long sinceNanos, String what) {
        long[] first = {0};
        boolean all = Patience.until(settings.recovery(), () -> {
            long ready = 0;
            for (WorkerProcess worker : crew.workers()) {
                if (history.lastAcquiredNanos(worker.name()) - sinceNanos > 0
                        && history.lastAcquiredNanos(worker.name()) != Long.MIN_VALUE) {
                    ready++;
                }
            }
            if (ready > 0 && first[0] == 0) {
                first[0] = System.nanoTime();
            }
            return ready == crew.size();
        });
        if (!all) {
            found.add(new Violation(
                    Rule.AVAILABILITY,
                    System.nanoTime(),
                    "not every worker had a lease within " + settings.recovery() + " after " + what));
        }
        return first[0] == 0 ? System.nanoTime() : first[0];
    }

    private void beCalm() {
        long healedNanos = injections.isEmpty()
                ? System.nanoTime()
                : injections.get(injections.size() - 1).healedNanos();
        long startNanos = healedNanos + settings.settling().toNanos();
        long endNanos = startNanos + settings.freeBound().plusSeconds(2).toNanos();
        Threads.sleep(Math.max(0, (endNanos - System.nanoTime()) / 1_000_000));
        calm.add(new Period(startNanos, System.nanoTime()));
    }

    /** A lock that nobody gets is safe, and useless. */
    private void checkAllUsed() {
        history.read();
        Period last = calm.get(calm.size() - 1);
        for (Subject subject : Subject.values()) {
            if (subject.isUsedIn(settings.mode()) && !history.wasTaken(subject, last.startNanos())) {
                found.add(new Violation(
                        Rule.AVAILABILITY,
                        last.endNanos(),
                        "nobody had " + subject + " for " + Text.seconds(last.nanos()) + " in which all was well"));
            }
        }
    }

    private void judge(FencedStore store, LeakChecker leaks, long stopNanos) {
        List<Hold> holds = history.holds();
        List<Wait> waits = history.waits().stream()
                .filter(wait -> wait.startNanos() < stopNanos)
                .toList();
        found.addAll(ExclusionChecker.check(holds));
        found.addAll(TokenChecker.check(holds));
        if (settings.mode() != Mode.QUORUM) {
            found.addAll(TokenChecker.checkEachClient(holds));
        }
        found.addAll(store.check());
        if (quorum == null) {
            found.addAll(StuckWaiterChecker.check(
                    holds, waits, calm, settings.freeBound().toNanos()));
        } else {
            found.addAll(
                    quorum.check(holds, waits, stopNanos, settings.freeBound().toNanos()));
            tally.remark(quorum.remark());
        }
        found.addAll(leaks.found());
        found.addAll(history.told());
        for (Violation violation : found) {
            Optional<Injection> excuse = injections.stream()
                    .filter(injection -> injection.excuses(violation))
                    .reduce((earlier, later) -> later);
            excuse.ifPresentOrElse(
                    injection -> {
                        tally.excused(injection.fault(), violation);
                        schedule.add("documented: " + violation);
                    },
                    () -> {
                        tally.violated(settings.toString(), violation);
                        schedule.add("VIOLATION: " + violation);
                    });
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void makeFolder() {
        Folders.delete(settings.folder());
        try {
            Files.createDirectories(settings.folder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the workers wrote is kept where it shows something. */
    private void tidy() {
        if (tally.violations().isEmpty()) {
            Folders.delete(settings.folder());
            return;
        }
        try {
            Files.write(settings.folder().resolve("schedule.txt"), schedule);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
