package io.holdfast.jdbc.backend;

import io.holdfast.LockStoreException;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
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
import io.holdfast.spi.ClientView;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.ServerClock;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Locks in tables of a database. Every step is one statement that commits by itself: no row stays locked over a trip,
 * so a client that stands still blocks nobody.
 *
 * <p>The common cases, a free lock and a release that nobody waits for, are one statement each. Everything else reads
 * the row, lets {@link LockRecord} decide, and writes it back unless somebody was faster. Every statement that writes
 * carries the last instant at which it may take effect.
 */
public final class JdbcBackend implements LockBackend {
    private static final int MOST_PAUSE_MICROS = 2_000;

    private final JdbcSettings settings;
    private final TimeSource time;
    private final ServerClock clock = new ServerClock();
    private final RowTurns turns;
    private volatile @Nullable Session session;
    private volatile boolean closed;

    /** What exists between start and close. */
    private record Session(
            String clientId, Rows rows, Database database, HeldClaims held, Waiters waiters, Maintenance maintenance) {}

    public JdbcBackend(JdbcSettings settings) {
        this.settings = settings;
        this.time = settings.time();
        this.turns = new RowTurns(time);
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        if (closed || session != null) {
            throw new IllegalStateException(this + " cannot be started a second time");
        }
        Database database = new Database(settings, clock, clientId);
        try {
            Rows rows = new Rows(database.start());
            HeldClaims held = new HeldClaims(database.isGuarded());
            Waiters waiters = new Waiters(rows, database, held, clock, listener, clientId, time);
            ClientRecord self = new ClientRecord(clientId, settings.clientName());
            Maintenance maintenance =
                    new Maintenance(database, rows, held, clock, time, self, clientId, listener::lines);
            maintenance.start();
            session = new Session(clientId, rows, database, held, waiters, maintenance);
            waiters.start();
        } catch (RuntimeException | Error unfit) {
            database.close();
            throw unfit;
        }
    }

    private Session session() {
        Session current = session;
        if (closed || current == null) {
            throw new IllegalStateException(this + (closed ? " is closed" : " is used before start()"));
        }
        return current;
    }

    /** The instant of the database's clock after which a request that is sent now must not take effect. */
    private long notAfter() {
        return clock.atMostMicros(time.nanoTime()) + Micros.of(settings.requestTimeout());
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        Session current = session();
        claim.check();
        Duration answer = settings.answerWithin(patience);
        String what = "ask for '" + claim.resource().name() + "'";
        long startNanos = time.nanoTime();
        AttemptResult known = current.waiters.answer(claim);
        if (known != null) {
            return known;
        }
        AttemptResult result = turns.with(claim.resource(), patience, left -> {
            AttemptResult meanwhile = current.waiters.answer(claim);
            return meanwhile != null
                    ? meanwhile
                    : current.database
                            .callers()
                            .with(what, left, answer, connection -> attempt(current, connection, claim, answer));
        });
        if (result instanceof AttemptResult.Queued) {
            current.waiters.add(claim);
            return result;
        }
        current.waiters.remove(claim.id());
        if (result instanceof AttemptResult.Granted granted) {
            current.held.granted(claim.id(), granted.token(), granted.left(), startNanos);
        }
        return result;
    }

    private AttemptResult attempt(Session current, KeptConnection connection, Claim claim, Duration within)
            throws SQLException {
        boolean mayBeFree = claim.weight() > 0 && !current.waiters.contains(claim.id());
        if (mayBeFree && !connection.isShut(clock.atLeastMicros(time.nanoTime()))) {
            OptionalLong token = unlessInTheWay(() -> current.rows.take(connection, claim, notAfter()));
            if (token.isPresent()) {
                return new AttemptResult.Granted(token.getAsLong(), claim.lease());
            }
        }
        return change(current, connection, claim.resource(), within, (row, now) -> {
            if (connection.isShut(now) && !row.isHeldBy(claim.id(), now)) {
                return Guard.refusal(connection.shutUntilMicros() - now);
            }
            return row.attempt(claim, now, current.waiters::contains);
        });
    }

    private interface Step<T> {
        T of(LockRecord row, long nowMicros);
    }

    private interface Trip {
        OptionalLong make() throws SQLException;
    }

    /** A statement that did nothing because of somebody else's: reading the row tells what to do. */
    private static OptionalLong unlessInTheWay(Trip trip) throws SQLException {
        try {
            return trip.make();
        } catch (SQLException trouble) {
            if (Dialect.didNothing(trouble)) {
                return OptionalLong.empty();
            }
            throw trouble;
        }
    }

    /** Reads, decides, writes; again if somebody was faster. */
    private <T> T change(Session current, KeptConnection connection, Resource resource, Duration within, Step<T> step)
            throws SQLException {
        byte[] key = Row.key(resource);
        long untilNanos = time.nanoTime() + within.toNanos();
        while (true) {
            long sentNanos = time.nanoTime();
            Row row = current.rows.read(connection, key);
            clock.learn(sentNanos, time.nanoTime(), row.nowMicros());
            LockRecord fresh = decoded(row, resource);
            fresh.cut(row.nowMicros());
            if (connection.isShutNow(row.nowMicros())) {
                fresh.shut();
            }
            T result = step.of(fresh, row.nowMicros());
            if (!fresh.isChanged()) {
                return seen(current, connection, resource, row, fresh, sentNanos, result);
            }
            SQLException inTheWay = null;
            try {
                List<Notice> notices = current.waiters.notices(fresh.served(), row.nowMicros());
                if (current.rows.write(connection, key, row, fresh, notAfter(), notices)) {
                    current.waiters.tellOwn(fresh.served(), sentNanos);
                    return seen(current, connection, resource, row, fresh, sentNanos, result);
                }
            } catch (IllegalArgumentException tooLarge) {
                throw untouched(resource, tooLarge);
            } catch (SQLException trouble) {
                if (!Dialect.didNothing(trouble)) {
                    throw trouble;
                }
                inTheWay = trouble;
            }
            if (time.nanoTime() - untilNanos > 0) {
                throw new LockStoreException(
                        resource.kind(),
                        resource.name(),
                        "could not change '" + resource.name() + "' within " + within + ", because "
                                + (inTheWay == null ? "others changed it all the time" : "somebody keeps it locked")
                                + "; try again, or find out who does",
                        inTheWay);
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(MOST_PAUSE_MICROS) * 1_000L);
        }
    }

    /** Others who ask need not read the row for themselves. Not while it is shut: then they are told so. */
    private static <T> T seen(
            Session current,
            KeptConnection connection,
            Resource resource,
            Row row,
            LockRecord fresh,
            long sent,
            T result) {
        if (connection.shutUntilMicros() == 0) {
            current.waiters.saw(resource, fresh, sent, row.nowMicros());
        }
        return result;
    }

    private static LockRecord decoded(Row row, Resource resource) {
        try {
            return row.toRecord(resource);
        } catch (IllegalArgumentException garbage) {
            throw untouched(resource, garbage);
        }
    }

    private static LockStoreException untouched(Resource resource, IllegalArgumentException why) {
        return new LockStoreException(
                resource.kind(), resource.name(), "'" + resource.name() + "' is not touched: " + why.getMessage(), why);
    }

    @Override
    public boolean release(Claim claim) {
        Session current = session();
        current.waiters.remove(claim.id());
        current.held.ended(claim.id());
        return current.database.call("release '" + claim.resource().name() + "'", connection -> {
            boolean mayBeAlone = !current.waiters.contains(claim.resource());
            OptionalLong given = unlessInTheWay(() -> mayBeAlone && current.rows.give(connection, claim, notAfter())
                    ? OptionalLong.of(1)
                    : OptionalLong.empty());
            return given.isPresent()
                    || change(
                            current,
                            connection,
                            claim.resource(),
                            settings.requestTimeout(),
                            (row, now) -> row.release(claim.id(), now));
        });
    }

    @Override
    public boolean revoke(Claim claim) {
        Session current = session();
        String doing = "remember who ended '" + claim.resource().name() + "'";
        current.database.call(doing, connection -> ClientRecord.revoked(connection, claim.id()));
        boolean known = release(claim);
        if (known) {
            current.waiters.tellRevoked(claim.id());
        }
        return known;
    }

    @Override
    public boolean wasRevoked(Resource resource, ClaimId claim) {
        String doing = "ask how '" + resource.name() + "' ended";
        return session().database.call(doing, connection -> ClientRecord.isRevoked(connection, claim));
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        Session current = session();
        long startNanos = time.nanoTime();
        List<RenewResult> results = new RenewalBatch(
                        current.rows,
                        current.database.renewals(),
                        clock,
                        time,
                        settings.requestTimeout(),
                        current.waiters::contains,
                        (connection, renewal) -> renew(current, connection, renewal))
                .renew(current.clientId, renewals);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof RenewResult.Renewed renewed) {
                current.held.renewed(renewals.get(i).claim().id(), renewed.left(), startNanos);
            }
        }
        return results;
    }

    /** Renews one claim that does not stand alone, or that the database has forgotten. */
    private @Nullable Duration renew(Session current, KeptConnection connection, Renewal renewal) throws SQLException {
        Claim claim = renewal.claim();
        return change(current, connection, claim.resource(), settings.requestTimeout(), (row, now) -> {
                    Duration left = row.renew(claim.id(), Micros.of(renewal.lease()), now);
                    if (left != null || !connection.isShut(now)) {
                        return Optional.ofNullable(left);
                    }
                    Holder lost = current.held.lost(claim, renewal.lease(), time.nanoTime(), now);
                    return Optional.ofNullable(lost == null ? null : row.putBack(lost, now));
                })
                .orElse(null);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        Session current = session();
        Row row = current.database.call(
                "look at '" + resource.name() + "'", connection -> current.rows.read(connection, Row.key(resource)));
        return row.isAbsent() ? Optional.empty() : decoded(row, resource).view(resource.name(), row.nowMicros());
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        Session current = session();
        return Listing.list(
                        namePrefix,
                        (after, end) -> current.database.call(
                                "list locks", connection -> current.rows.list(connection, after, end)))
                .flatMap(row -> Listing.readable(row).stream());
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        return session().database.call("look at a client", connection -> ClientRecord.read(connection, clientId));
    }

    @Override
    public void publishWaits(WaitRecord record) {
        session().database.inBackground("show who waits", connection -> WaitRecords.publish(connection, record));
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        return session().database.inBackground("see who waits", connection -> WaitRecords.read(connection, clientId));
    }

    @Override
    public List<String> clients() {
        return session().database.call("list the clients", ClientRecord::all);
    }

    @Override
    public Optional<String> storeId() {
        Session current = session;
        return current == null ? Optional.empty() : Optional.of(current.database.storeId());
    }

    @Override
    public OptionalLong tokenNow() {
        session();
        return OptionalLong.of(clock.atMostMicros(time.nanoTime()));
    }

    @Override
    public Duration requestTimeout() {
        return settings.requestTimeout();
    }

    @Override
    public Optional<Duration> longestLease() {
        Session current = session;
        boolean guarded = settings.strict() || (current != null && current.database.isGuarded());
        return guarded ? Optional.of(settings.longestLease()) : Optional.empty();
    }

    @Override
    public void close() {
        Session current = session;
        boolean first = !closed;
        closed = true;
        if (current != null && first) {
            current.waiters.close();
            current.maintenance.close();
            current.database.close();
        }
    }

    @Override
    public String toString() {
        Session current = session;
        return "JDBC backend of " + (current == null ? "no client yet" : "client " + current.clientId);
    }
}
