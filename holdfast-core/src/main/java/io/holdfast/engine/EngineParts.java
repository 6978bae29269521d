package io.holdfast.engine;

import io.holdfast.spi.LockBackend;
import java.lang.System.Logger;
import java.time.Duration;

/**
 * Puts the parts of one client together, each on those above it here. Only {@link LockEngine} and its {@link Shutdown},
 * which open and close them, and tests see all of them; a part gets what it needs.
 */
final class EngineParts {
    final EngineRuntime runtime;
    final ClientLife life;
    final StoreCalls store;
    final Events events;
    final ReleaseRetrier releases;
    final WatchList watched;
    final Endings endings;
    final Watchdog watchdog;
    final Keeping keeping;
    final Untold untold;
    final Closings closings;
    final Claims claims;
    final ClaimAttempts attempts;
    final GateServices gates;
    final Waiting waiting;
    final Acquisitions acquisitions;
    final Announcements announcements;
    final Deadlocks deadlocks;
    final DeadlockSurvey survey;

    /** A client that looks for no deadlocks. */
    EngineParts(String clientId, LockBackend backend, EngineRuntime runtime) {
        this(clientId, backend, runtime, Duration.ZERO);
    }

    EngineParts(String clientId, LockBackend backend, EngineRuntime runtime, Duration deadlockDelay) {
        Logger logger = System.getLogger("io.holdfast");
        this.runtime = runtime;
        this.life = new ClientLife(clientId);
        this.store = new StoreCalls(backend, runtime, logger);
        this.events = new Events(runtime.time(), logger);
        this.releases = new ReleaseRetrier(store, runtime, logger);
        this.watched = new WatchList(runtime, logger);
        this.endings = new Endings(watched, releases, runtime);
        this.watchdog = new Watchdog(watched, endings, store, runtime, logger);
        watched.keptBy(watchdog);
        this.keeping = new Keeping(store, watchdog, runtime.time());
        this.untold = new Untold();
        Callbacks callbacks = new Callbacks(runtime, logger);
        this.closings = new Closings(life, callbacks);
        Leases leases = new Leases(new LeaseServices(
                runtime.time(),
                life,
                store,
                watchdog,
                endings,
                keeping,
                callbacks,
                events,
                new LeaseLog(),
                untold,
                closings));
        this.claims = new Claims(clientId);
        this.attempts = new ClaimAttempts(claims, store, runtime, releases, endings);
        this.gates = new GateServices(runtime.time(), life, attempts, leases, endings, events);
        this.waiting = new Waiting(life);
        this.acquisitions = new Acquisitions(life, runtime, store, waiting, gates);
        Revocations revocations = new Revocations(watched, watchdog, store);
        this.announcements = new Announcements(attempts, revocations, watched, waiting);
        DeadlockReport report = new DeadlockReport(store, runtime.time(), events, callbacks, logger);
        DeadlockPeers peers = new DeadlockPeers(clientId, store, watched);
        this.survey = new DeadlockSurvey(runtime, store, report, logger);
        this.deadlocks = new Deadlocks(
                runtime,
                life,
                store,
                waiting,
                peers,
                new DeadlockSampler(clientId, runtime.time(), waiting, peers, deadlockDelay.toNanos()),
                report,
                logger,
                deadlockDelay);
        waiting.watchedBy(deadlocks::arm);
    }

    /** What a test looks at to see that nothing was left behind. */
    int leftovers() {
        return attempts.size() + waiting.size() + watched.size() + releases.size() + untold.size() + closings.size();
    }
}
