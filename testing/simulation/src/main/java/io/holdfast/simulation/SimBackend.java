package io.holdfast.simulation;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to the store, with the network in between. A request that takes time is executed by an event
 * of the world, at its own time and whatever becomes of the caller, who meanwhile sleeps in {@link SimWorld#sleep}.
 *
 * <p>Keeps the rules of {@link LockBackend}: no request is executed later than {@link #requestTimeout()} after the
 * call, counted by the caller's clock.
 */
final class SimBackend implements LockBackend {
    private final Setting setting;
    private final SimWorld world;
    private final SimProcess process;
    private final LockBackend target;
    private final Network network;
    private final Stats stats;
    private final Rng rng;
    private final Duration requestTimeout;
    private final Style style;
    private final Sabotage sabotage;
    private final Answers answers;
    private final ClaimLedger claims;
    private final Map<ClaimId, String> labels = new HashMap<>();
    private long grants;

    /** Hears what the attempts of an operation met. */
    interface Answers {
        void answered(String label);

        void failed(String label);
    }

    /** What a backend needs besides its own process and its own connection. */
    record Setting(
            SimWorld world,
            Network network,
            Stats stats,
            long seed,
            Duration requestTimeout,
            Style style,
            Sabotage sabotage) {}

    SimBackend(Setting setting, SimProcess process, LockBackend target, Answers answers) {
        this.setting = setting;
        this.world = setting.world;
        this.network = setting.network;
        this.stats = setting.stats;
        this.requestTimeout = setting.requestTimeout;
        this.style = setting.style;
        this.sabotage = setting.sabotage;
        this.rng = Rng.of(setting.seed, 21, process.index());
        this.process = process;
        this.target = target;
        this.answers = answers;
        this.claims = new ClaimLedger(world);
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        Rng pushes = new Rng(rng.nextLong());
        target.start(clientId, new SimListener(setting, process, pushes, listener, this::heard));
    }

    private void heard(ClaimId claim) {
        String label = labels.get(claim);
        if (label != null) {
            answers.answered(label);
        }
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        labels.put(claim.id(), claim.label());
        claims.asks(claim.id());
        AttemptResult result;
        try {
            result = call("attempt", claim, patience, () -> execute(claim, patience), () -> refuse(claim));
        } catch (SimulatedOutageException outage) {
            answers.failed(claim.label());
            if (sabotage == Sabotage.OUTAGE_IS_BUSY) {
                return new AttemptResult.Busy(Duration.ofMillis(10));
            }
            throw outage;
        } finally {
            claims.asked(claim.id());
        }
        if (result instanceof AttemptResult.Refused) {
            answers.failed(claim.label());
        } else {
            answers.answered(claim.label());
        }
        return result;
    }

    private AttemptResult execute(Claim claim, Duration patience) {
        if (sabotage == Sabotage.NOTHING_IS_GRANTED || (sabotage == Sabotage.NEVER_SERVED && process.index() == 0)) {
            return claim.waits()
                    ? new AttemptResult.Queued(1, Duration.ofSeconds(1), true)
                    : new AttemptResult.Busy(Duration.ofSeconds(1));
        }
        if (sabotage == Sabotage.MISMATCHED) {
            return new AttemptResult.Mismatched(7);
        }
        AttemptResult result = target.attempt(style == Style.LINELESS ? withoutPlace(claim) : claim, patience);
        if (result instanceof AttemptResult.Queued queued && style == Style.SILENT) {
            return new AttemptResult.Queued(queued.place(), queued.left(), false);
        }
        if (result instanceof AttemptResult.Granted granted) {
            grants++;
            if (sabotage == Sabotage.OLD_TOKENS && grants % 2 == 0) {
                return new AttemptResult.Granted(granted.token() - 10_000_000, granted.left());
            }
            if (sabotage == Sabotage.LEFT_TOO_LONG) {
                return new AttemptResult.Granted(granted.token(), granted.left().multipliedBy(3));
            }
        }
        return result;
    }

    private static Claim withoutPlace(Claim claim) {
        return claim.toBuilder().waits(false).leastToken(0).build();
    }

    @Override
    public boolean release(Claim claim) {
        claims.releases(claim.id());
        if (sabotage == Sabotage.ASKS_AGAIN) {
            attempt(claim, requestTimeout);
        }
        return call(
                "release",
                claim,
                requestTimeout,
                () -> sabotage == Sabotage.RELEASE_LIES || target.release(claim),
                null);
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        stats.renewed();
        Claim first = renewals.get(0).claim();
        return call("renew", first, requestTimeout, () -> renewAll(renewals), null);
    }

    private List<RenewResult> renewAll(List<Renewal> renewals) {
        List<RenewResult> results = new ArrayList<>();
        renewals.forEach(renewal -> results.add(renewOne(renewal)));
        return results;
    }

    private RenewResult renewOne(Renewal renewal) {
        if (sabotage == Sabotage.RENEWAL_LIES) {
            return new RenewResult.Renewed(renewal.lease());
        }
        if (sabotage == Sabotage.RENEWAL_DENIED) {
            return new RenewResult.Gone();
        }
        boolean half = network.isHalfRenewed(rng);
        RenewResult result = half && rng.chance(5_000)
                ? new RenewResult.Gone()
                : target.renew(List.of(renewal)).get(0);
        return half ? new RenewResult.Failed(new SimulatedOutageException("no answer for one claim")) : result;
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        return target.inspect(resource);
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        return target.list(namePrefix);
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** What is under way may reach the store before the end of the connection does, or not. */
    @Override
    public void close() {
        disconnect();
    }

    /** The connection ends: at once, or when the store notices. */
    void disconnect() {
        if (rng.chance(5_000)) {
            target.close();
        } else {
            world.post(null, world.now() + rng.below(2 * requestTimeout.toNanos()), target::close);
        }
    }

    /** @param refusal what the store says when it grants nothing, or null for a request that knows no such answer */
    private <T> T call(
            String what, Claim claim, Duration patience, Supplier<T> request, @Nullable Supplier<T> refusal) {
        process.ensureAlive();
        stats.called();
        long latestNanos = process.clocks().trueNanos(requestTimeout.toNanos());
        long patienceNanos = process.clocks().trueNanos(patience.toNanos());
        Fate fate = network.fate(process, rng, patienceNanos, latestNanos);
        Exchange<T> exchange = new Exchange<>(what, claim, request);
        if (fate.refused()) {
            if (refusal == null) {
                throw noAnswer(what, claim);
            }
            return refusal.get();
        }
        if (fate.againAfter() != Fate.NEVER) {
            network.later(claim.id(), fate.againAfter(), new Exchange<>(what + " (again)", claim, request));
            network.duplicated(claim.id());
        }
        boolean inTime = world.canSleep();
        if (fate.arrivesAfter() == 0 || (fate.isAnswered() && !inTime)) {
            exchange.run();
        } else if (fate.arrivesAfter() != Fate.NEVER) {
            network.later(claim.id(), fate.arrivesAfter(), exchange);
        }
        long waitNanos = fate.isAnswered() ? fate.answeredAfter() : fate.failsAfter();
        if (inTime && waitNanos > 0) {
            world.sleep(process, waitNanos);
        }
        if (!fate.isAnswered()) {
            throw noAnswer(what, claim);
        }
        return exchange.answer();
    }

    private SimulatedOutageException noAnswer(String what, Claim claim) {
        if (world.isTraced()) {
            world.trace(process.name(), what + " of " + claim.id() + " has no answer");
        }
        return new SimulatedOutageException("no answer to the " + what + " of " + claim.id());
    }

    private AttemptResult refuse(Claim claim) {
        if (world.isTraced()) {
            world.trace(process.name(), "attempt of " + claim.id() + " is refused");
        }
        Duration retryAfter = Duration.ofNanos(rng.between(SimWorld.MILLI, 500 * SimWorld.MILLI));
        return new AttemptResult.Refused("simulated", retryAfter);
    }

    /** One request on its way to the store and what came of it there. */
    private final class Exchange<T> implements Runnable {
        private final String what;
        private final Claim claim;
        private final Supplier<T> request;
        private @Nullable T reply;
        private @Nullable RuntimeException failure;

        Exchange(String what, Claim claim, Supplier<T> request) {
            this.what = what;
            this.claim = claim;
            this.request = request;
        }

        @Override
        public void run() {
            if (network.isDown()) {
                return;
            }
            try {
                reply = request.get();
            } catch (RuntimeException closed) {
                failure = closed;
            }
            if (world.isTraced()) {
                ClaimId id = claim.id();
                Resource resource = claim.resource();
                String answer = failure == null ? String.valueOf(reply) : failure.toString();
                world.trace(
                        "store", what + " of " + id + " (" + claim.label() + ") on " + resource.name() + ": " + answer);
            }
        }

        T answer() {
            if (failure != null) {
                throw failure;
            }
            if (reply == null) {
                throw noAnswer(what, claim);
            }
            return reply;
        }
    }
}
