package io.holdfast.jdbc.database;

import io.holdfast.DurationText;
import io.holdfast.LockStoreException;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connections that are kept: as many as callers need at a time, up to a limit. One that nobody needed for a minute is
 * closed, unless it is the last. Callers take turns in the order of coming; time in that line is no silence of the
 * database. A data source that gives fewer is asked for more now and then, and those that are there serve everybody.
 *
 * <p>Connections are opened and closed on threads of our own. A data source may bind connections to the transaction of
 * the calling thread, and a statement of ours must not become part of that. And a data source that blocks must not
 * block a caller for longer than it is ready to wait.
 */
public final class Connections implements AutoCloseable {

    private static final Logger LOG = System.getLogger("io.holdfast.jdbc");

    /** Poolers and firewalls dislike older ones. */
    private static final long MOST_AGE_NANOS = TimeUnit.MINUTES.toNanos(30);

    private static final long MOST_IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** A data source that refused one more is left alone for so long, as long as some are open. */
    private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long IDLE_SECONDS = 5;

    /** Opens a connection. */
    public interface Source {
        KeptConnection open() throws SQLException;
    }

    /** What a caller does with a connection. */
    public interface Work<T> {
        T with(KeptConnection connection) throws SQLException;
    }

    private final Source source;
    private final TimeSource time;
    private final int most;
    private final Semaphore turns;
    private final ThreadPoolExecutor opener;
    private final LinkedBlockingDeque<Offer> offers = new LinkedBlockingDeque<>();

    /** Connections that are open or being opened: one number, so that nobody counts one of them twice. */
    private final AtomicInteger places = new AtomicInteger();

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long askAgainNanos;
    private volatile boolean closed;

    public Connections(Source source, ThreadFactory threads, TimeSource time, int most) {
        this.source = source;
        this.time = time;
        this.most = most;
        this.askAgainNanos = time.nanoTime();
        this.turns = new Semaphore(most, true);
        this.opener = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads,
                (task, stopped) -> task.run());
        opener.allowCoreThreadTimeOut(true);
    }

    /**
     * Does some work with a connection. The interrupt flag is put aside meanwhile: drivers give up a trip when they see
     * it.
     *
     * @param what for messages, as in "could not … "
     * @param patience how long to wait for a connection
     * @param answer how long one answer may take
     */
    public <T> T with(String what, Duration patience, Duration answer, Work<T> work) {
        boolean interrupted = Thread.interrupted();
        try {
            long untilNanos = time.nanoTime() + patience.toNanos();
            awaitTurn(what, patience, untilNanos);
            try {
                return withTurn(what, untilNanos, answer, work);
            } catch (LockStoreException told) {
                if (!(told.getCause() instanceof SQLException said) || !Dialect.isLostStatement(said)) {
                    throw told;
                }
                awaitTurn(what, patience, untilNanos); // it did nothing, and now statements are sent whole
                return withTurn(what, untilNanos, answer, work);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T withTurn(String what, long untilNanos, Duration answer, Work<T> work) {
        KeptConnection connection = null;
        boolean usable = false;
        try {
            connection = take(what, untilNanos);
            connection.timeout((int) Math.max(1, Math.min(answer.toMillis(), Integer.MAX_VALUE)));
            T result = work.with(connection);
            usable = true;
            return result;
        } catch (LockStoreException told) {
            usable = connection != null; // what the row says, not the connection
            throw told;
        } catch (SQLException trouble) {
            usable = Dialect.didNothing(trouble);
            throw ErrorMessages.of(what, trouble);
        } finally {
            giveBack(connection, usable);
        }
    }

    /** Runs a blocking step to its end, whatever interrupts it, and sets the flag again afterwards. */
    private interface Step<T> {
        T run() throws InterruptedException;
    }

    private static <T> T uninterrupted(Step<T> step) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return step.run();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void awaitTurn(String what, Duration patience, long untilNanos) {
        boolean mine = turns.tryAcquire()
                || uninterrupted(() -> turns.tryAcquire(untilNanos - time.nanoTime(), TimeUnit.NANOSECONDS));
        if (!mine) {
            throw new LockStoreException(
                    "could not " + what + ": all " + most + " connections for locks were in use for "
                            + DurationText.of(patience)
                            + "; allow more with connections(n), or find out why the database is slow",
                    null);
        }
    }

    private KeptConnection take(String what, long untilNanos) {
        Offer offer = offers.pollFirst();
        while (offer != null && (offer.connection == null || isOld(offer.connection))) {
            if (offer.connection != null) {
                discard(offer.connection);
            }
            offer = offers.pollFirst();
        }
        if (offer == null) {
            offer = await(untilNanos);
        } else if (waiting.get() > 0) {
            prepare(); // it may be the one that somebody who waits had opened
        }
        if (offer == null) {
            throw new LockStoreException(
                    "could not " + what + ": the data source gave no connection in time; check that the database runs,"
                            + " and that a pool has connections(n) + 3 left for locks",
                    new SQLTransientConnectionException("no connection within the time of the caller"));
        }
        return offer.get(what);
    }

    private @Nullable Offer await(long untilNanos) {
        waiting.incrementAndGet();
        try {
            prepare();
            return uninterrupted(
                    () -> offers.pollFirst(Math.max(1, untilNanos - time.nanoTime()), TimeUnit.NANOSECONDS));
        } finally {
            waiting.decrementAndGet();
        }
    }

    private boolean isOld(KeptConnection connection) {
        return connection.isOutdated() || time.nanoTime() - connection.openedNanos() > MOST_AGE_NANOS;
    }

    /** Opens a connection in the background, unless there are enough. */
    private void prepare() {
        boolean refused = places.get() > 0 && time.nanoTime() - askAgainNanos < 0;
        if (!refused && places.getAndUpdate(taken -> Math.min(taken + 1, most)) < most) {
            opener.execute(this::open);
        }
    }

    private void open() {
        try {
            keep(source.open());
        } catch (SQLException | RuntimeException | Error trouble) {
            refused(trouble);
        }
    }

    /** A pool may have no more to give: then those that are open must do, and nobody is told. */
    private void refused(Throwable trouble) {
        if (places.decrementAndGet() == 0) {
            for (int told = Math.max(1, waiting.get()); told > 0; told--) {
                offers.addLast(new Offer(null, trouble, time.nanoTime()));
            }
        } else {
            askAgainNanos = time.nanoTime() + REFUSED_NANOS;
            LOG.log(
                    Level.DEBUG,
                    "the data source gives no connection beside the " + places + " that are there",
                    trouble);
        }
    }

    private void giveBack(@Nullable KeptConnection connection, boolean usable) {
        if (connection != null && usable) {
            keep(connection);
        } else if (connection != null) {
            places.decrementAndGet();
            opener.execute(connection::drop);
            if (waiting.get() > 0) {
                prepare();
            }
        }
        turns.release();
    }

    private void keep(KeptConnection connection) {
        Offer offer = new Offer(connection, null, time.nanoTime());
        if (closed) {
            discard(connection);
            return;
        }
        offers.addFirst(offer);
        if (closed && offers.remove(offer)) {
            discard(connection);
        }
    }

    /** Closes those that nobody has needed for a while. */
    public void tidy() {
        Offer idlest = offers.peekLast();
        while (idlest != null
                && idlest.connection != null
                && places.get() > 1
                && time.nanoTime() - idlest.sinceNanos > MOST_IDLE_NANOS) {
            if (offers.removeLastOccurrence(idlest)) {
                discard(idlest.connection);
            }
            idlest = offers.peekLast();
        }
    }

    private void discard(KeptConnection connection) {
        places.decrementAndGet();
        opener.execute(connection::close);
    }

    /** A connection that is free since then, or why one could not be opened. */
    private record Offer(
            @Nullable KeptConnection connection, @Nullable Throwable trouble, long sinceNanos) {

        KeptConnection get(String what) {
            if (connection != null) {
                return connection;
            } else if (trouble instanceof SQLException said) {
                throw ErrorMessages.ofOpening(what, said);
            } else if (trouble instanceof RuntimeException said) {
                throw said;
            }
            throw new LockStoreException("could not open a connection: " + trouble, trouble);
        }
    }

    /** Closes what is free; what is in use is closed when it is given back. */
    @Override
    public void close() {
        closed = true;
        for (Offer offer = offers.pollFirst(); offer != null; offer = offers.pollFirst()) {
            if (offer.connection != null) {
                discard(offer.connection);
            }
        }
        opener.shutdown();
        uninterrupted(() -> opener.awaitTermination(1, TimeUnit.SECONDS));
    }
}
