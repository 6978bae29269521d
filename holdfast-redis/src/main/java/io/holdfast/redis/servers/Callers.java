package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.settings.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one server. A limited number of callers use a connection at once, each on its own thread. All others
 * wait in order of arrival, and waiting calls are carried together: a caller that leaves gives its connection to a
 * carrier, which sends up to {@link #MOST_TOGETHER} calls at once and hands out the replies, until nobody waits. So a
 * crowd waits for about one round trip, not for one per caller.
 *
 * <p>Time in the line says nothing about the server. A server is silent only if it does not answer what was sent.
 */
final class Callers {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    private static final int MOST_TOGETHER = 64;

    /** Far more than the threads of a process. */
    private static final int MOST_WAITING = 100_000;

    private static final long IDLE_SECONDS = 5;

    /** The server, as far as its callers need it. */
    interface Server {
        RedisAddress address();

        /** The trusted session of the server. */
        Session session(long untilNanos);

        /** A connection to the server of this session. */
        PooledConnection connection(Session met, long untilNanos);

        /** When it last answered anything. */
        long heardNanos();

        /** A connection broke: another server may answer there next. */
        void broke();
    }

    private final Server server;
    private final Timing time;
    private final int most;
    private final Duration requestTimeout;
    private final Queue<WaitingCall> line = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor carriers;

    /** How many use a connection: callers and carriers. */
    private final AtomicInteger inside = new AtomicInteger();

    /** The length of the line; for a moment one too few when a call comes and is served at once. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** When the first request was sent that got no answer, unless the server has answered another one since. */
    private volatile long unansweredNanos;

    Callers(Server server, int most, Duration requestTimeout, Timing time) {
        this.server = server;
        this.time = time;
        this.unansweredNanos = time.nanos();
        this.most = most;
        this.requestTimeout = requestTimeout;
        this.carriers = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "holdfast-redis-carrier-" + server.address());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Admits the caller if there is room and nobody waits. {@link #leave} must follow. */
    boolean enter() {
        return waiting.get() <= 0 && hasRoom();
    }

    private boolean hasRoom() {
        for (int now = inside.get(); now < most; now = inside.get()) {
            if (inside.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Admits the caller, or puts its call in the line; true if it was admitted. */
    boolean enterOr(WaitingCall call) {
        if (enter()) {
            return true;
        }
        if (waiting.get() >= MOST_WAITING) {
            throw RedisLinkException.local(busy(), null);
        }
        line.add(call);
        waiting.incrementAndGet();
        if (hasRoom()) { // all of them left just now, and nobody saw it
            passOn(null);
        }
        return false;
    }

    String busy() {
        return "all " + most + " connections to " + server.address() + " are in use and others wait for them; raise"
                + " connections(), or ask for fewer locks at once";
    }

    /** Leaves, and lets waiting calls use the connection. */
    void leave(@Nullable PooledConnection lent) {
        boolean good = lent != null && lent.isUsable();
        if (lent != null && !good) {
            lent.close();
        }
        passOn(good ? lent : null);
    }

    /** Passes a place, and a connection if there is one, to the next call. */
    private void passOn(@Nullable PooledConnection lent) {
        while (true) {
            WaitingCall first = next();
            if (first == null) {
                if (lent != null) {
                    lent.close();
                }
                inside.decrementAndGet();
                if (waiting.get() <= 0 || !hasRoom()) {
                    return;
                }
                lent = null; // a call came just now
            } else if (first.isAlone() || (first.isAwaited() && waiting.get() <= 0)) {
                if (first.admit(lent)) {
                    return;
                }
            } else if (isCarried(lent, first)) {
                return;
            }
        }
    }

    /** The next call that still waits. */
    private @Nullable WaitingCall next() {
        WaitingCall first = line.poll();
        while (first != null) {
            waiting.decrementAndGet();
            if (first.isWaiting()) {
                return first;
            }
            first = line.poll();
        }
        return null;
    }

    private boolean isCarried(@Nullable PooledConnection lent, WaitingCall first) {
        try {
            carriers.execute(() -> carry(lent, first));
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            if (first.isAwaited()) {
                return first.admit(lent); // it goes on by itself
            }
            first.refused(RedisLinkException.local("no thread can be started: " + noThread.getMessage(), noThread));
            return false;
        }
    }

    private void carry(@Nullable PooledConnection given, WaitingCall first) {
        PooledConnection lent = given;
        WaitingCall next = first;
        List<WaitingCall> together = new ArrayList<>(MOST_TOGETHER);
        try {
            while (next != null && !next.isAlone()) {
                do {
                    together.add(next);
                    next = together.size() < MOST_TOGETHER ? next() : null;
                } while (next != null && !next.isAlone());
                lent = carry(lent, together);
                together.clear();
                next = next == null ? next() : next;
            }
        } catch (Throwable failure) {
            RuntimeException why = failure instanceof RuntimeException known
                    ? known
                    : RedisLinkException.broken("a carrier to " + server.address() + " failed", failure);
            together.forEach(call -> call.refused(why));
            together.forEach(call -> call.failed(why, false));
            if (failure instanceof Error) { // nobody would hear of it from this thread
                LOG.log(Level.ERROR, why.getMessage(), failure);
            }
        } finally {
            if (lent != null && !lent.isUsable()) { // replies of others may still be under way
                lent.close();
                lent = null;
            }
            if (next == null || !next.admit(lent)) {
                leave(lent);
            }
        }
    }

    /**
     * Sends calls to the server and hands out the replies. Returns the connection for the next calls, or null if it is
     * lost.
     */
    private @Nullable PooledConnection carry(@Nullable PooledConnection given, List<WaitingCall> together) {
        PooledConnection lent = given;
        long beganNanos = time.nanos();
        try {
            if (lent != null && !lent.isUsable()) {
                lent.close();
                lent = null;
            }
            long untilNanos = beganNanos + requestTimeout.toNanos();
            Session session = server.session(untilNanos);
            lent = lent != null ? lent : server.connection(session, untilNanos);
            exchange(lent, session, together);
            return lent;
        } catch (RuntimeException failure) { // nothing was sent
            if (lent != null) {
                lent.close();
            }
            together.forEach(call -> call.refused(failure));
            together.forEach(call -> call.failed(failure, false));
            if (inside.get() == 1) {
                refuseAll(failure);
            } else if (failure instanceof RedisLinkException broken) {
                unanswered(beganNanos, broken);
            }
            return null;
        } catch (Error failure) {
            if (lent != null) {
                lent.close();
            }
            throw failure;
        }
    }

    private void exchange(PooledConnection lent, Session session, List<WaitingCall> together) {
        List<WaitingCall> sent = new ArrayList<>(together.size());
        List<byte[][]> commands = new ArrayList<>(together.size());
        for (WaitingCall call : together) {
            byte[][] command = call.begin(session);
            if (command != null) {
                sent.add(call);
                commands.add(command);
            }
        }
        int answered = 0;
        boolean wasIdle = !lent.isNew();
        long sentNanos = time.nanos();
        try {
            if (!commands.isEmpty()) {
                lent.send(commands);
            }
            sentNanos = time.nanos(); // a pause of this process before it was sent is not the server's silence
            long untilNanos = sentNanos + requestTimeout.toNanos();
            for (; answered < sent.size(); answered++) {
                receive(lent, sent.get(answered), untilNanos);
            }
        } catch (RedisLinkException broken) {
            server.broke();
            for (WaitingCall call : sent.subList(answered, sent.size())) {
                call.failed(broken, wasIdle && answered == 0 && !broken.isTimeout());
            }
            unanswered(sentNanos, broken);
        }
    }

    private void receive(PooledConnection lent, WaitingCall call, long untilNanos) {
        try {
            call.answered(lent.receive(time.left(untilNanos)), time.nanos());
        } catch (RedisReplyException refused) {
            call.failed(refused, false);
        }
    }

    /**
     * A request got no answer. If the server has answered nobody for a whole request timeout, all waiting calls fail
     * now: they would only find the same, one batch after the other.
     */
    void unanswered(long sentNanos, RedisLinkException broken) {
        long heardNanos = server.heardNanos();
        long firstNanos = unansweredNanos;
        if (heardNanos - firstNanos >= 0) {
            firstNanos = sentNanos;
            unansweredNanos = sentNanos;
        }
        boolean silent = heardNanos - firstNanos < 0 && time.nanos() - firstNanos >= requestTimeout.toNanos() * 9 / 10;
        if (broken.isTimeout() && silent) {
            refuseAll(RedisLinkException.unreachable(server + " has not answered for " + requestTimeout, broken, true));
        }
    }

    /** Fails all waiting calls, because the server cannot be reached. */
    private void refuseAll(RuntimeException failure) {
        for (WaitingCall each = next(); each != null; each = next()) {
            each.refused(failure);
        }
    }

    void close() {
        refuseAll(RedisLinkException.local("the client is closed", null));
        carriers.shutdown();
    }
}
