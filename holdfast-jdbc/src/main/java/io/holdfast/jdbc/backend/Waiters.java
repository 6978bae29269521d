package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.Notice;
import io.holdfast.jdbc.database.Row;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.jdbc.record.Holder;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.jdbc.record.Micros;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ServerClock;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells waiting claims that they were served: those of this client directly, those of others by a message where the
 * database can send one. A thread looks after the claims of this client where no message would come, the more seldom
 * the longer they have waited.
 */
final class Waiters implements AutoCloseable {
    private static final Logger LOG = System.getLogger("io.holdfast.jdbc");
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LEAST_PAUSE_NANOS = 2 * NANOS_PER_MILLI;
    private static final long MOST_PAUSE_NANOS = 100 * NANOS_PER_MILLI;

    /** A claim is looked at again after this part of the time that it has waited. */
    private static final int PART = 8;

    /** A look that takes long is followed by a pause of so many times that: a long line is much to read. */
    private static final int LOOKS_PER_PAUSE = 4;

    private static final long MOST_REST_NANOS = 5 * MOST_PAUSE_NANOS;
    private static final int MOST_NAMES = 512;

    /** Number of the claim, and that it was revoked, or its token, its lease and when it began. */
    private static final Pattern MESSAGE = Pattern.compile("\\d{1,18} (revoked|\\d{1,18} \\d{1,18} \\d{1,18})");

    private final Rows rows;
    private final Database database;
    private final HeldClaims held;
    private final ServerClock clock;
    private final BackendListener listener;
    private final String clientId;
    private final TimeSource time;
    private final OwnLines waiting = new OwnLines();
    private final Thread thread;
    private final @Nullable PostgresListener messages;
    private long lastLookNanos;
    private boolean shut;
    private volatile boolean closed;

    Waiters(
            Rows rows,
            Database database,
            HeldClaims held,
            ServerClock clock,
            BackendListener listener,
            String clientId,
            TimeSource time) {
        this.rows = rows;
        this.database = database;
        this.held = held;
        this.clock = clock;
        this.listener = listener;
        this.clientId = clientId;
        this.time = time;
        this.thread = Threads.named("holdfast-jdbc-" + clientId + "-waiters").newThread(this::watch);
        this.messages = rows.dialect().announces()
                ? new PostgresListener(database::open, clientId, time, this::heard, listener::missed)
                : null;
    }

    void start() {
        thread.start();
        if (messages != null) {
            messages.start();
        }
    }

    /** A claim has a place in the line. */
    void add(Claim claim) {
        if (waiting.add(claim, time.nanoTime())) {
            LockSupport.unpark(thread);
        }
    }

    void remove(ClaimId claim) {
        waiting.remove(claim);
    }

    /** Whether a claim of ours stands in the line, as far as we were told. */
    boolean contains(ClaimId claim) {
        return waiting.contains(claim);
    }

    /** Whether anybody of ours stands in the line of a name, so that its row has a record. */
    boolean contains(Resource resource) {
        return waiting.contains(resource);
    }

    /** The answer to a claim that asks again, if it is certain without asking. */
    @Nullable
    AttemptResult answer(Claim claim) {
        return waiting.answer(claim, time.nanoTime());
    }

    /** A row as it is since a request of ours that was sent then. */
    void saw(Resource resource, LockRecord seen, long sentNanos, long nowMicros) {
        waiting.saw(resource, seen, sentNanos, nowMicros, time.nanoTime());
    }

    /** Messages for the clients of those who were served. */
    List<Notice> notices(List<LockRecord.Served> served, long grantedMicros) {
        if (served.isEmpty() || !rows.dialect().announces()) {
            return List.of();
        }
        List<Notice> notices = new ArrayList<>();
        for (LockRecord.Served each : served) {
            if (!each.id().client().equals(clientId)) {
                notices.add(new Notice(
                        PostgresListener.channel(each.id().client()),
                        each.id().sequence() + " " + each.token() + " " + each.leaseMicros() + " " + grantedMicros));
            }
        }
        return notices;
    }

    /** Those of this client who were served by a change of ours. */
    void tellOwn(List<LockRecord.Served> served, long startNanos) {
        for (LockRecord.Served each : served) {
            if (each.id().client().equals(clientId)) {
                granted(each.id(), each.token(), each.leaseMicros(), startNanos);
            }
        }
    }

    private void granted(ClaimId claim, long token, long leaseMicros, long startNanos) {
        // The claim may not be here yet: its own call may still be on the way back.
        waiting.remove(claim);
        held.granted(claim, token, Micros.duration(leaseMicros), startNanos);
        listener.granted(claim, token, Micros.duration(leaseMicros), startNanos);
    }

    /** A message of another client. */
    void heard(String payload, long receivedNanos) {
        if (!MESSAGE.matcher(payload).matches()) {
            LOG.log(Level.DEBUG, "a message that is not ours: {0}", payload);
            return;
        }
        String[] parts = payload.split(" ", -1);
        ClaimId claim = new ClaimId(clientId, Long.parseLong(parts[0]));
        if (parts.length == 2) {
            listener.revoked(claim);
            return;
        }
        long startNanos = clock.notLaterThanNanos(Long.parseLong(parts[3]));
        if (startNanos - receivedNanos > 0) {
            listener.served(claim);
        } else {
            granted(claim, Long.parseLong(parts[1]), Long.parseLong(parts[2]), startNanos);
        }
    }

    void tellRevoked(ClaimId claim) {
        if (claim.client().equals(clientId)) {
            listener.revoked(claim);
        } else {
            tell(PostgresListener.channel(claim.client()), claim.sequence() + " revoked");
        }
    }

    private void tell(String channel, String payload) {
        if (rows.dialect().announces()) {
            database.call("tell another client", connection -> rows.tell(connection, channel, payload));
        }
    }

    private void watch() {
        while (!closed) {
            if (waiting.isEmpty()) {
                LockSupport.park(this);
                continue;
            }
            if (messages != null && messages.arrive()) {
                LockSupport.parkNanos(this, MOST_PAUSE_NANOS);
                continue;
            }
            LockSupport.parkNanos(this, pauseNanos());
            try {
                look();
            } catch (RuntimeException trouble) {
                LOG.log(Level.DEBUG, "could not look after those who wait", trouble);
                LockSupport.parkNanos(this, MOST_PAUSE_NANOS);
            }
        }
    }

    private long pauseNanos() {
        long part = waiting.restlessNanos(time.nanoTime()) / PART;
        long pause = Math.max(LEAST_PAUSE_NANOS, Math.min(part, MOST_PAUSE_NANOS));
        long jittered = pause - pause / 5 + ThreadLocalRandom.current().nextLong(pause / 5 * 2 + 1);
        return Math.max(jittered, Math.min(lastLookNanos * LOOKS_PER_PAUSE, MOST_REST_NANOS));
    }

    private void look() {
        List<Resource> all = List.copyOf(waiting.names());
        for (int from = 0; from < all.size() && !closed; from += MOST_NAMES) {
            look(all.subList(from, Math.min(all.size(), from + MOST_NAMES)));
        }
    }

    private void look(List<Resource> names) {
        long sentNanos = time.nanoTime();
        List<byte[]> keys = names.stream().map(Row::key).toList();
        List<Row> found = database.inBackground("look after waiting claims", connection -> {
            List<Row> read = rows.read(connection, keys);
            shut = !read.isEmpty() && connection.isShutNow(read.get(0).nowMicros());
            return read;
        });
        for (Row row : found) {
            clock.learn(sentNanos, time.nanoTime(), row.nowMicros());
            for (Holder holder : holders(row, sentNanos)) {
                if (waiting.contains(holder.id()) && !holder.isExpired(row.nowMicros())) {
                    granted(holder.id(), holder.firstToken(), holder.untilMicros() - row.nowMicros(), sentNanos);
                }
            }
        }
        lastLookNanos = time.nanoTime() - sentNanos;
    }

    /** None of a row that cannot be read: the claims that wait for it are told when they ask. */
    private List<Holder> holders(Row row, long sentNanos) {
        Resource resource = Listing.resource(row);
        try {
            LockRecord seen = row.toRecord(resource);
            if (!shut) {
                saw(resource, seen, sentNanos, row.nowMicros());
            }
            return seen.holders();
        } catch (IllegalArgumentException garbage) {
            return List.of();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (messages != null) {
            messages.close();
        }
        LockSupport.unpark(thread);
        try {
            thread.join(Duration.ofSeconds(1).toMillis());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
