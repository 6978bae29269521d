package io.holdfast.jdbc.backend;

import io.holdfast.LockStoreException;
import io.holdfast.jdbc.database.ClaimKey;
import io.holdfast.jdbc.database.Connections;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Row;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.jdbc.record.Holder;
import io.holdfast.jdbc.record.Micros;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ServerClock;
import io.holdfast.spi.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Renews many claims with few statements: those that hold alone together, the others one by one. */
final class RenewalBatch {

    /** One statement for more would keep their rows locked for too long. */
    private static final int CHUNK = 500;

    private static final int TRIES = 2;
    private static final int NOT_POSSIBLE = -1;

    /** Renews a claim that does not hold alone. Null when it does not hold. */
    interface OneByOne {
        @Nullable
        Duration renew(KeptConnection connection, Renewal renewal) throws SQLException;
    }

    private final Rows rows;
    private final Connections connections;
    private final ServerClock clock;
    private final TimeSource time;
    private final Duration timeout;
    private final Predicate<Resource> inLine;
    private final OneByOne oneByOne;

    RenewalBatch(
            Rows rows,
            Connections connections,
            ServerClock clock,
            TimeSource time,
            Duration timeout,
            Predicate<Resource> inLine,
            OneByOne oneByOne) {
        this.rows = rows;
        this.connections = connections;
        this.clock = clock;
        this.time = time;
        this.timeout = timeout;
        this.inLine = inLine;
        this.oneByOne = oneByOne;
    }

    List<RenewResult> renew(String client, List<Renewal> renewals) {
        @Nullable RenewResult[] results = new RenewResult[renewals.size()];
        Map<Duration, List<Integer>> byLease = new LinkedHashMap<>();
        IntStream.range(0, renewals.size())
                .forEach(i -> byLease.computeIfAbsent(renewals.get(i).lease(), unknown -> new ArrayList<>())
                        .add(i));
        byLease.forEach((lease, indexes) -> {
            for (int from = 0; from < indexes.size(); from += CHUNK) {
                List<Integer> chunk = indexes.subList(from, Math.min(indexes.size(), from + CHUNK));
                try {
                    connections.with("renew " + chunk.size() + " locks", timeout, timeout, connection -> {
                        List<Integer> alone = new ArrayList<>();
                        for (int i : chunk) {
                            Renewal renewal = renewals.get(i);
                            if (inLine.test(renewal.claim().resource())) { // it does not stand in columns
                                results[i] = renewOne(connection, renewal);
                            } else {
                                alone.add(i);
                            }
                        }
                        if (!alone.isEmpty()) {
                            renew(connection, client, renewals, alone, lease, results);
                        }
                        return true;
                    });
                } catch (RuntimeException unknown) {
                    chunk.stream()
                            .filter(i -> results[i] == null)
                            .forEach(i -> results[i] = new RenewResult.Failed(unknown));
                }
            }
        });
        return Arrays.stream(results).map(Objects::requireNonNull).toList();
    }

    private void renew(
            KeptConnection connection,
            String client,
            List<Renewal> renewals,
            List<Integer> chunk,
            Duration lease,
            @Nullable RenewResult[] results)
            throws SQLException {
        List<ClaimKey> keys =
                chunk.stream().map(i -> ClaimKey.of(renewals.get(i).claim())).toList();
        long notAfter = clock.atMostMicros(time.nanoTime()) + Micros.of(timeout);
        int renewed = renewAll(connection, client, keys, Micros.of(lease), notAfter);
        if (renewed == chunk.size()) {
            chunk.forEach(i -> results[i] = new RenewResult.Renewed(lease));
            return;
        }
        if (renewed == NOT_POSSIBLE) { // one row that somebody keeps locked must not cost the others their leases
            for (int i : chunk) {
                results[i] = renewOne(connection, renewals.get(i));
            }
            return;
        }
        long sentNanos = time.nanoTime();
        List<Row> found = rows.read(connection, keys.stream().map(ClaimKey::row).toList());
        Map<ClaimId, Row> alone = new HashMap<>();
        for (Row row : found) {
            clock.learn(sentNanos, time.nanoTime(), row.nowMicros());
            Holder holder = row.single();
            if (holder != null && !holder.isExpired(row.nowMicros())) {
                alone.put(holder.id(), row);
            }
        }
        for (int i : chunk) {
            Renewal renewal = renewals.get(i);
            Row row = alone.get(renewal.claim().id());
            results[i] = row == null
                    ? renewOne(connection, renewal)
                    : new RenewResult.Renewed(shorter(lease, Micros.duration(row.freeAtMicros() - row.nowMicros())));
        }
    }

    private RenewResult renewOne(KeptConnection connection, Renewal renewal) throws SQLException {
        try {
            Duration left = oneByOne.renew(connection, renewal);
            return left == null ? new RenewResult.Gone() : new RenewResult.Renewed(left);
        } catch (LockStoreException itsOwn) {
            return new RenewResult.Failed(itsOwn);
        }
    }

    /** A deadlock did nothing, so it is tried again. Returns how many were renewed. */
    private int renewAll(KeptConnection connection, String client, List<ClaimKey> keys, long lease, long notAfter)
            throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return rows.renew(connection, client, keys, lease, notAfter);
            } catch (SQLException trouble) {
                if (!Dialect.didNothing(trouble)) {
                    throw trouble;
                }
                if (tries == TRIES) {
                    return NOT_POSSIBLE;
                }
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
