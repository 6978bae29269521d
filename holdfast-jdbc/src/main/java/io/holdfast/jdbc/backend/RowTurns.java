package io.holdfast.jdbc.backend;

import io.holdfast.DurationText;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Those of one client who ask for the same name take turns, in the order of coming. A row is changed by reading it and
 * writing it back unless somebody was faster: of many who do that at once one succeeds, and the others have worked for
 * nothing. They wait without a connection, so that a crowd on one name holds up no other. When the database does not
 * answer one of them, all waiters go at once: nobody learns of an outage later than the others. Whoever comes later
 * takes turns again.
 */
final class RowTurns {
    /** More than can wait. */
    private static final int EVERYBODY = 1 << 30;

    /** The turns of one name; removed when nobody wants it any more, or when it was opened for all of them. */
    private static final class Turn {
        private final Semaphore free = new Semaphore(1, true);
        private int wanted;
    }

    private final TimeSource time;
    private final Map<Resource, Turn> turns = new ConcurrentHashMap<>();

    RowTurns(TimeSource time) {
        this.time = time;
    }

    /**
     * Does some work when it is the caller's turn.
     *
     * @param patience how long to wait for that
     * @param work is told what is left of the patience
     */
    <T> T with(Resource resource, Duration patience, Function<Duration, T> work) {
        long untilNanos = time.nanoTime() + patience.toNanos();
        Turn turn = turns.compute(resource, (name, known) -> {
            Turn mine = known == null ? new Turn() : known;
            mine.wanted++;
            return mine;
        });
        try {
            await(turn, resource, patience, untilNanos);
            try {
                return work.apply(Duration.ofNanos(Math.max(0, untilNanos - time.nanoTime())));
            } catch (LockStoreException trouble) {
                boolean outage = trouble.getCause() instanceof SQLException;
                if (outage && turns.remove(resource, turn)) {
                    turn.free.release(EVERYBODY);
                }
                throw trouble;
            } finally {
                turn.free.release();
            }
        } finally {
            turns.computeIfPresent(resource, (name, known) -> known == turn && --turn.wanted == 0 ? null : known);
        }
    }

    private void await(Turn turn, Resource resource, Duration patience, long untilNanos) {
        boolean interrupted = false;
        try {
            boolean mine = false; // and never tryAcquire() without a time, which overtakes those who wait
            while (!mine) {
                try {
                    mine = turn.free.tryAcquire(untilNanos - time.nanoTime(), TimeUnit.NANOSECONDS);
                    if (!mine) {
                        throw new LockStoreException(
                                resource.kind(),
                                resource.name(),
                                "could not ask for '" + resource.name() + "' within " + DurationText.of(patience)
                                        + ", because others of this process ask for it, one after the other; try again,"
                                        + " or let fewer ask at a time",
                                null);
                    }
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
}
