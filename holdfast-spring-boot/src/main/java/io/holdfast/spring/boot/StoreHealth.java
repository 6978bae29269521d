package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the store of the locks is, whatever the version of Spring Boot calls that: one look at a name that nobody uses,
 * and what the listener has heard.
 *
 * <p><b>Guarantees.</b> The store is asked at most once a second. Nothing is locked.
 *
 * <p><b>Not guaranteed.</b> That a store refuses is known when it refused somebody.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. One looks, the others wait for what it sees.
 *
 * @since 0.1
 */
public final class StoreHealth implements LockListener {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MILLI = 1e6;

    private final Supplier<LockClient> client;
    private final Supplier<String> where;
    private final Supplier<List<Finding>> doctor;
    private final TimeSource time;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock looking = new ReentrantLock();

    /** Guarded by looking. */
    private @Nullable Result last;

    private long lastNanos;

    private record Refusal(LockRefusedException cause, long untilNanos) {}

    private volatile @Nullable Refusal refusal;

    /** What is seen. */
    public enum State {
        /** Somebody answers. */
        UP,
        /** Nobody answers, or what answers cannot be used. */
        DOWN,
        /** The store grants nothing new for a while, because it may have forgotten something. */
        OUT_OF_SERVICE
    }

    /**
     * What is seen, and more about it.
     *
     * @param state the state
     * @param details what people want to know
     */
    public record Result(State state, Map<String, Object> details) {}

    StoreHealth(Supplier<LockClient> client, Supplier<String> where, Supplier<List<Finding>> doctor, TimeSource time) {
        this.client = client;
        this.where = where;
        this.doctor = doctor;
        this.time = time;
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired acquired) {
            held.incrementAndGet();
            refusal = null;
            ended(acquired.contended());
        } else if (event instanceof LockEvent.Released || event instanceof LockEvent.Lost) {
            held.decrementAndGet();
        } else if (event instanceof LockEvent.Contended) {
            waiting.incrementAndGet();
        } else if (event instanceof LockEvent.GaveUp gaveUp) {
            ended(gaveUp.contended());
        } else if (event instanceof LockEvent.Failed failed) {
            ended(failed.contended());
            refused(failed.cause());
        } else if (event instanceof LockEvent.Obstructed obstructed) {
            refused(obstructed.cause());
        }
    }

    private void ended(boolean contended) {
        if (contended) {
            waiting.decrementAndGet();
        }
    }

    private void refused(Throwable cause) {
        if (cause instanceof LockRefusedException refused) {
            refusal =
                    new Refusal(refused, time.nanoTime() + refused.retryAfter().toNanos());
        }
    }

    /**
     * Looks, unless somebody has looked less than a second ago.
     *
     * @return what is seen
     */
    public Result look() {
        looking.lock();
        try {
            Result known = last;
            if (known == null || time.nanoTime() - lastNanos >= PAUSE_NANOS) {
                known = lookNow();
                last = known;
                lastNanos = time.nanoTime();
            }
            return known;
        } finally {
            looking.unlock();
        }
    }

    private Result lookNow() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("server", where.get());
        details.put("held", held.get());
        details.put("waiting", waiting.get());
        long startNanos = time.nanoTime();
        try {
            client.get().inspector().find(LockKind.LOCK, LockStore.LOOKED_AT);
        } catch (LockRefusedException refused) {
            return outOfService(details, refused, refused.retryAfter());
        } catch (LockStoreException | IllegalStateException down) {
            details.put("error", sentence(down));
            return result(State.DOWN, details);
        }
        details.put("roundTrip", String.format("%.1f ms", (time.nanoTime() - startNanos) / NANOS_PER_MILLI));
        Refusal now = refusal;
        long leftNanos = now == null ? 0 : now.untilNanos - time.nanoTime();
        return now == null || leftNanos <= 0
                ? result(State.UP, details)
                : outOfService(details, now.cause, Duration.ofNanos(leftNanos));
    }

    private static Result result(State state, Map<String, Object> details) {
        return new Result(state, Collections.unmodifiableMap(details));
    }

    private static Result outOfService(Map<String, Object> details, LockRefusedException why, Duration retryAfter) {
        details.put("error", String.valueOf(why.getMessage()));
        details.put("retryAfter", retryAfter.toString());
        return result(State.OUT_OF_SERVICE, details);
    }

    /** The doctor says more than a failed call, as it looks at all servers. */
    private String sentence(RuntimeException down) {
        try {
            Optional<Finding> worst = doctor.get().stream()
                    .filter(each -> each.level() == Finding.Level.FAIL)
                    .findFirst();
            if (worst.isPresent()) {
                return worst.get().text()
                        + (worst.get().remedy().isEmpty()
                                ? ""
                                : "; " + worst.get().remedy());
            }
        } catch (RuntimeException noDoctor) {
            down.addSuppressed(noDoctor);
        }
        return String.valueOf(down.getMessage());
    }
}
