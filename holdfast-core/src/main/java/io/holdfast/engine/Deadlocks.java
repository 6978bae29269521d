package io.holdfast.engine;

import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds deadlocks that callers of this client are in, also across clients.
 *
 * <p><b>How.</b> Nothing happens before somebody has waited for the delay. From then on there is a beat, as long as
 * anybody waits: {@link DeadlockSampler sample} the suspects, show them to others, and {@link DeadlockLook look} from
 * those that are due. Without a suspect the store hears nothing. A core that is found is looked at again at once and at
 * every beat, until it is {@link DeadlockCandidate sure}; then it is told, once.
 *
 * <p><b>Threads.</b> One beat at a time, on a worker; the state here is touched by the beat only.
 */
final class Deadlocks {

    /** How often the store may be asked in a second, publishing and telling apart. */
    private static final int QUESTIONS_PER_SECOND = 14;

    /** However long the delay is: a record lives for 5 s, and one that ends between two beats is of no use. */
    private static final long MOST_BEAT_NANOS = 2_000 * Deadline.NANOS_PER_MILLI;

    /** A beat is up to so much shorter or longer, in percent, so that clients do not look all at once. */
    private static final int JITTER_PERCENT = 10;

    /** After how many beats a suspect whose look found nothing looks again; from the last one on it stays so. */
    private static final int[] PAUSES = {1, 2, 4, 8, 10};

    private final EngineRuntime runtime;
    private final TimeSource time;
    private final ClientLife life;
    private final StoreCalls store;
    private final Waiting waiting;
    private final DeadlockPeers peers;
    private final DeadlockSampler sampler;
    private final DeadlockReport report;
    private final Logger logger;
    private final long delayNanos;
    private final long beatNanos;

    private final AtomicBoolean armed = new AtomicBoolean();
    private final DeadlockBudget budget = new DeadlockBudget(QUESTIONS_PER_SECOND);
    private final Map<Long, Patience> patience = new HashMap<>();
    private final Map<Set<String>, DeadlockCandidate> candidates = new HashMap<>();
    private final Map<Set<String>, Set<Long>> told = new HashMap<>();
    private final Set<String> complained = new HashSet<>();
    private long version;
    private long unbroken = 1;
    private volatile boolean published;

    /** When a suspect looks again. */
    private static final class Patience {
        private int looks;
        private int beatsLeft;

        boolean isDue() {
            return --beatsLeft <= 0;
        }

        void looked() {
            beatsLeft = PAUSES[Math.min(looks, PAUSES.length - 1)];
            looks++;
        }

        /** It is in a core: it looks at every beat. */
        void again() {
            beatsLeft = 1;
            looks = 0;
        }
    }

    /** @param delay how long somebody waits before anybody looks, and about a beat, up to 2 s; zero for never */
    Deadlocks(
            EngineRuntime runtime,
            ClientLife life,
            StoreCalls store,
            Waiting waiting,
            DeadlockPeers peers,
            DeadlockSampler sampler,
            DeadlockReport report,
            Logger logger,
            Duration delay) {
        this.runtime = runtime;
        this.time = runtime.time();
        this.life = life;
        this.store = store;
        this.waiting = waiting;
        this.peers = peers;
        this.sampler = sampler;
        this.report = report;
        this.logger = logger;
        this.delayNanos = delay.toNanos();
        this.beatNanos = Math.min(delayNanos, MOST_BEAT_NANOS);
        if (delayNanos > 0) {
            peers.join(this::arm);
        }
    }

    /** Somebody begins to wait. */
    void arm() {
        if (delayNanos > 0 && !armed.get() && armed.compareAndSet(false, true)) {
            schedule(delayNanos);
        }
    }

    private void schedule(long nanos) {
        boolean scheduled = false;
        try {
            runtime.schedule(() -> runtime.worker().execute(this::beat), nanos);
            scheduled = true;
        } finally {
            if (!scheduled) {
                armed.set(false); // so that the next one tries again
            }
        }
    }

    /** Whatever is thrown on the way, there is a next beat as long as anybody waits. */
    private void beat() {
        try {
            if (!life.isClosed()) {
                step();
            }
        } catch (Throwable trouble) {
            logger.log(Level.WARNING, "looking for deadlocks stumbled and goes on", trouble);
        } finally {
            if (life.isClosed() || (waiting.size() == 0 && !published)) {
                armed.set(false);
                if (waiting.size() > 0 && !life.isClosed()) {
                    arm();
                }
            } else {
                long spreadNanos = beatNanos / 100 * JITTER_PERCENT;
                schedule(beatNanos - spreadNanos + runtime.random(2 * spreadNanos + 1));
            }
        }
    }

    private void step() {
        DeadlockSample sample = sampler.take(version + 1, unbroken);
        patience.keySet().retainAll(sample.waiters().keySet());
        told.values().removeIf(serials -> !sample.waiters().keySet().containsAll(serials));
        if (sample.isEmpty() && !published) {
            candidates.clear();
            return;
        }
        version++;
        publish(sample.record());
        if (sample.own().isEmpty()) {
            candidates.clear();
            return;
        }
        look(sample);
    }

    private void publish(WaitRecord record) {
        boolean answered = store.publishWaits(record);
        if (!answered) {
            unbroken = version + 1;
        }
        published = !record.suspects().isEmpty() || !answered;
    }

    /** The client is closing: nobody waits any more. */
    void close() {
        peers.leave();
        if (published) {
            published = false;
            store.publishWaits(new WaitRecord(life.clientId(), version + 1, unbroken, List.of()));
        }
    }

    // ---- looking

    private void look(DeadlockSample sample) {
        WaitRecord own = new WaitRecord(sample.record().client(), version, 0, sample.own());
        List<WaitRecord.Suspect> due = due(own);
        DeadlockLook first = new DeadlockLook(store, own, complained, logger);
        boolean complete = look(first, due, false);
        Map<Set<String>, DeadlockCore> cores = cores(own, first);
        long seenNanos = time.nanoTime();
        if (complete) {
            candidates.keySet().retainAll(cores.keySet());
        }
        Map<Set<String>, DeadlockCore> fresh = new LinkedHashMap<>();
        cores.forEach((signature, core) -> {
            DeadlockCandidate known = candidates.get(signature);
            if (known == null && !told.containsKey(signature)) {
                fresh.put(signature, core);
            } else if (known != null && known.isSure(core, first, time.nanoTime())) {
                candidates.remove(signature);
                tell(signature, core, sample);
            }
        });
        if (!fresh.isEmpty()) {
            lookAgain(own, fresh, seenNanos);
        }
    }

    /** At once, so that the two looks have an instant between them. */
    private void lookAgain(WaitRecord own, Map<Set<String>, DeadlockCore> fresh, long seenNanos) {
        List<WaitRecord.Suspect> starts = fresh.values().stream()
                .flatMap(DeadlockCore::waits)
                .filter(wait -> wait.claim().client().equals(own.client()))
                .toList();
        DeadlockLook second = new DeadlockLook(store, own, complained, logger);
        look(second, starts, true);
        cores(own, second).forEach((signature, core) -> {
            if (fresh.containsKey(signature)) {
                candidates.put(signature, new DeadlockCandidate(core, second, seenNanos));
            }
        });
    }

    /** Those whose turn it is; those that are new or were in a core the last time come first. */
    private List<WaitRecord.Suspect> due(WaitRecord own) {
        List<WaitRecord.Suspect> due = new ArrayList<>();
        for (WaitRecord.Suspect each : own.suspects()) {
            if (patienceOf(each).isDue()) {
                due.add(each);
            }
        }
        due.sort(Comparator.comparingInt(each -> patienceOf(each).looks));
        return due;
    }

    private Patience patienceOf(WaitRecord.Suspect suspect) {
        return patience.computeIfAbsent(suspect.serial(), none -> new Patience());
    }

    /** Returns whether nobody was left out, for want of a budget or of an answer. */
    private boolean look(DeadlockLook look, List<WaitRecord.Suspect> starts, boolean atOnce) {
        try {
            for (WaitRecord.Suspect each : starts) {
                if (!atOnce && !budget.isOpen(time.nanoTime())) {
                    return false;
                }
                int before = look.commands();
                look.from(each);
                budget.spend(look.commands() - before, time.nanoTime());
                patienceOf(each).looked();
            }
            return true;
        } catch (RuntimeException unanswered) {
            logger.log(Level.DEBUG, "a look for deadlocks was not answered", unanswered);
            return false;
        }
    }

    /** What a look found that has to do with this client, and owners that wait for what they hold themselves. */
    private Map<Set<String>, DeadlockCore> cores(WaitRecord own, DeadlockLook look) {
        Map<Set<String>, DeadlockCore> found = new LinkedHashMap<>();
        for (WaitRecord.Suspect each : own.suspects()) {
            alone(own, each).ifPresent(core -> found.put(core.signature(), core));
        }
        look.cores().stream()
                .filter(core -> core.clients().contains(own.client()))
                .forEach(core -> found.putIfAbsent(core.signature(), core));
        found.forEach((signature, core) -> {
            if (!told.containsKey(signature)) {
                core.waits()
                        .filter(own.suspects()::contains)
                        .forEach(wait -> patienceOf(wait).again());
            }
        });
        return found;
    }

    /** An owner that waits for what only it holds: that needs no store. */
    private static Optional<DeadlockCore> alone(WaitRecord own, WaitRecord.Suspect suspect) {
        List<ResourceView.Holder> holders = suspect.holds().stream()
                .filter(hold -> DeadlockGraph.key(hold.resource()).equals(DeadlockGraph.key(suspect.resource())))
                .map(hold -> new ResourceView.Holder(hold.claim(), hold.weight(), hold.token(), Duration.ZERO, ""))
                .toList();
        if (holders.isEmpty()) {
            return Optional.empty();
        }
        ClaimId claim = suspect.claim();
        DeadlockGraph graph = new DeadlockGraph();
        graph.add(new ResourceView(
                suspect.resource(), holders, List.of(new ResourceView.Waiting(claim, suspect.weight(), ""))));
        own.suspects().stream()
                .filter(each -> each.ownerKey().equals(suspect.ownerKey()))
                .forEach(graph::add);
        return graph.cores().stream().findFirst();
    }

    // ---- telling

    private void tell(Set<String> signature, DeadlockCore core, DeadlockSample sample) {
        List<WaitRecord.Suspect> own = core.waits()
                .filter(wait -> wait.claim().client().equals(life.clientId()))
                .toList();
        Set<Long> serials = new HashSet<>();
        own.forEach(wait -> serials.add(wait.serial()));
        told.put(signature, serials);
        report.tell(core, own.get(0));
        core.victim()
                .filter(victim -> victim.claim().client().equals(life.clientId()))
                .ifPresent(victim -> {
                    Waiter waiter = sample.waiters().get(victim.serial());
                    if (waiter != null && !waiter.isFinished()) {
                        waiter.abandon(report.failure(core, victim));
                    }
                });
    }
}
