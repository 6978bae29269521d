package io.holdfast.testing;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * A backend behind a bad network: passes every call on to another backend and does to it what {@link Faults} decide.
 *
 * <p><b>Guarantees.</b> Never breaks a rule of {@link LockBackend} by itself: a request that arrives late arrives at
 * most {@link #requestTimeout()} after the call. Never sleeps by itself: what happens later is handed to a scheduler,
 * so that a simulation can run it under its own clock.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <pre>{@code
 * FaultScript script = new FaultScript();
 * LockBackend backend = new FaultyBackend(
 *         real, script, (task, delay) -> timer.schedule(task, delay.toNanos(), NANOSECONDS));
 * script.once(Call.Release.class, new Fault.LostReply());
 * }</pre>
 *
 * @since 0.1
 */
public final class FaultyBackend extends ForwardingBackend {
    private final Faults faults;
    private final BiConsumer<Runnable, Duration> later;
    private final Map<Class<? extends Fault>, LongAdder> injected = new ConcurrentHashMap<>();
    private final LongAdder arrivedLater = new LongAdder();

    /** One trip to the store. */
    private interface Request<T> {
        T send();
    }

    /**
     * Wraps a backend.
     *
     * @param target where calls arrive
     * @param faults what happens to them on the way
     * @param later runs a task once after a delay, on any thread but never before it returned
     */
    public FaultyBackend(LockBackend target, Faults faults, BiConsumer<Runnable, Duration> later) {
        super(target);
        this.faults = faults;
        this.later = later;
    }

    /**
     * Returns how many faults of one type were injected so far.
     *
     * @param type which type
     * @return the number of calls that met it
     */
    public long injected(Class<? extends Fault> type) {
        LongAdder count = injected.get(type);
        return count == null ? 0 : count.sum();
    }

    /**
     * Returns how many faults were injected so far.
     *
     * @return the number of calls that did not simply go through
     */
    public long injected() {
        return injected.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /**
     * Returns how many requests have arrived that were late, or came a second time.
     *
     * @return their number since this was made
     */
    public long arrivedLater() {
        return arrivedLater.sum();
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        super.start(clientId, new FaultyListener(listener, this::choose, later));
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        Fault fault = choose(new Call.Attempt(claim));
        if (fault instanceof Fault.Refusal refusal) {
            return new AttemptResult.Refused(refusal.why(), refusal.retryAfter());
        }
        return request(fault, "attempt of " + claim.id(), () -> super.attempt(claim, patience));
    }

    @Override
    public boolean release(Claim claim) {
        return request(choose(new Call.Release(claim)), "release of " + claim.id(), () -> super.release(claim));
    }

    @Override
    public boolean revoke(Claim claim) {
        return request(choose(new Call.Release(claim)), "revocation of " + claim.id(), () -> super.revoke(claim));
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return request(
                choose(new Call.Renew(renewals)),
                "renewal of " + renewals.size() + " claims",
                () -> super.renew(renewals));
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        return request(
                choose(new Call.Look(resource.name())), "look at " + resource.name(), () -> super.inspect(resource));
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        Fault fault = choose(new Call.Look(namePrefix));
        if (fault instanceof Fault.Forget forget) {
            forget.forgetting().run();
        } else if (fault instanceof Fault.SlowReply slow) {
            slow.waiting().run();
        } else if (!(fault instanceof Fault.None)) {
            throw new InjectedFaultException(fault + " for the list of " + namePrefix);
        }
        return super.list(namePrefix);
    }

    private Fault choose(Call call) {
        Fault fault = faults.next(call);
        if (!(fault instanceof Fault.None)) {
            injected.computeIfAbsent(fault.getClass(), type -> new LongAdder()).increment();
        }
        return fault;
    }

    private <T> T request(Fault fault, String what, Request<T> request) {
        if (fault instanceof Fault.None) {
            return request.send();
        }
        if (fault instanceof Fault.Forget forget) {
            forget.forgetting().run();
            return request.send();
        }
        if (fault instanceof Fault.SlowReply slow) {
            T reply = request.send();
            slow.waiting().run();
            return reply;
        }
        if (fault instanceof Fault.Duplicate duplicate) {
            T reply = request.send();
            sendLater(request, duplicate.after());
            return reply;
        }
        if (fault instanceof Fault.LostReply) {
            request.send();
        } else if (fault instanceof Fault.Late late) {
            sendLater(request, late.by());
        }
        throw new InjectedFaultException(fault + " for the " + what);
    }

    private void sendLater(Request<?> request, Duration delay) {
        Duration latest = requestTimeout();
        later.accept(() -> sendQuietly(request), delay.compareTo(latest) < 0 ? delay : latest);
    }

    /** Nobody waits for the answer of a late request, so its failure is told to nobody either. */
    private void sendQuietly(Request<?> request) {
        try {
            request.send();
        } catch (RuntimeException unheard) {
            System.getLogger(FaultyBackend.class.getName()).log(System.Logger.Level.DEBUG, "late request", unheard);
        } finally {
            arrivedLater.increment();
        }
    }
}
