package io.holdfast.redis.backend;

import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.RecordKeys;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.servers.PooledConnection;
import io.holdfast.redis.servers.Proofs;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.Topology;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Elsewhere;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Renews many claims at once: one pipeline to each server, all servers at the same time. On a single server one call
 * names many records; a cluster needs one call for each.
 */
final class Renewals {
    private static final int MOST_KEYS = 100;
    private static final long TOO_LATE = -2;
    private static final long MICROS_PER_MILLI = 1_000;
    private static final RenewResult GONE = new RenewResult.Gone();

    /** How long a silent server gets no renewals: the others must not wait for it every time. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final NodeCaller caller;
    private final Topology topology;
    private final RedisSettings settings;
    private final Timing time;
    private final HeldClaims held;
    private final Proofs proofs;
    private final RecordKeys keys;
    private final Executor parallel;

    Renewals(
            NodeCaller caller,
            Topology topology,
            RedisSettings settings,
            HeldClaims held,
            Proofs proofs,
            RecordKeys keys) {
        this.caller = caller;
        this.topology = topology;
        this.settings = settings;
        this.time = settings.time();
        this.held = held;
        this.proofs = proofs;
        this.keys = keys;
        this.parallel = new Elsewhere(task -> {
            Thread thread = new Thread(task, "holdfast-redis-renewal");
            thread.setDaemon(true);
            thread.start();
        });
    }

    List<RenewResult> renew(List<Renewal> renewals) {
        @Nullable RenewResult[] results = new RenewResult[renewals.size()];
        long untilNanos = time.nanos() + settings.requestTimeout().toNanos();
        Map<Node, List<Integer>> byNode = new LinkedHashMap<>();
        for (int i = 0; i < results.length; i++) {
            try {
                Node node = topology.nodeFor(key(renewals.get(i)), untilNanos);
                byNode.computeIfAbsent(node, made -> new ArrayList<>()).add(i);
            } catch (RuntimeException failure) {
                results[i] = failed(renewals.get(i), failure);
            }
        }
        List<CompletableFuture<?>> others = new ArrayList<>();
        Runnable mine = null;
        for (Map.Entry<Node, List<Integer>> part : byNode.entrySet()) {
            Runnable task = () -> renew(part.getKey(), part.getValue(), renewals, results, untilNanos);
            if (mine == null) {
                mine = task;
            } else {
                others.add(CompletableFuture.runAsync(task, parallel));
            }
        }
        if (mine != null) {
            mine.run();
        }
        others.forEach(CompletableFuture::join);
        List<RenewResult> all = new ArrayList<>(results.length);
        for (RenewResult result : results) {
            all.add(java.util.Objects.requireNonNull(result));
        }
        return all;
    }

    /** A dead connection shows only when it is used, so there is a second try if there is time. */
    private void renew(
            Node node, List<Integer> which, List<Renewal> all, @Nullable RenewResult[] results, long untilNanos) {
        RuntimeException last = null;
        long worthwhileNanos = settings.requestTimeout().toNanos() / 4;
        for (int i = 0; i == 0 || (i == 1 && untilNanos - time.nanos() > worthwhileNanos); i++) {
            try {
                send(node, which, all, results, untilNanos);
                return;
            } catch (RedisLinkException broken) {
                last = broken;
                if (!broken.isLocal()) {
                    node.broke();
                }
            } catch (RedisReplyException forgotten) { // its scripts
                last = forgotten;
                node.doubt();
            } catch (RuntimeException failure) {
                last = failure;
                break;
            }
        }
        if (last instanceof RedisLinkException broken && broken.isTimeout()) {
            node.foundSilent();
        }
        RuntimeException cause = last == null ? RedisLinkException.local(node + " had no time left", null) : last;
        for (int i : which) {
            if (results[i] == null) {
                results[i] = failed(all.get(i), cause);
            }
        }
    }

    private void send(
            Node node, List<Integer> which, List<Renewal> all, @Nullable RenewResult[] results, long untilNanos) {
        if (node.wasSilent(moment(which, all))) {
            topology.doubt(node.address()); // another server may answer next time
            throw new RedisUnfitException(node + " did not answer a moment ago");
        }
        long soonNanos = time.until(settings.requestTimeout()); // a pause of this process is not the server's silence
        Session session = node.session(soonNanos);
        List<List<Integer>> groups = grouped(along(session, which, all, results), all);
        if (groups.isEmpty()) {
            return;
        }
        List<byte[][]> commands = new ArrayList<>(groups.size());
        groups.forEach(group -> commands.add(command(session, group, all)));
        List<@Nullable Object> replies;
        try (PooledConnection connection = node.connection(session, soonNanos)) {
            replies = connection.pipeline(settings.requestTimeout(), commands);
        }
        for (Object reply : replies) {
            if (reply instanceof RedisReplyException refused && refused.error() == RedisError.NOSCRIPT) {
                throw refused;
            }
        }
        proofs.require(node, session, untilNanos);
        for (int g = 0; g < groups.size(); g++) {
            read(node, session, groups.get(g), replies.get(g), all, results, untilNanos);
        }
    }

    /** The renewals that are allowed on this server. The others are gone, and their records are left to expire. */
    private List<Integer> along(
            Session session, List<Integer> which, List<Renewal> all, @Nullable RenewResult[] results) {
        List<Integer> along = new ArrayList<>(which.size());
        for (int i : which) {
            if (held.mayFollow(all.get(i).claim().id(), key(all.get(i)), session)) {
                along.add(i);
            } else {
                results[i] = GONE;
            }
        }
        return along;
    }

    /** A hold that must not follow a call to the server that answered it. */
    private static final class LeftBehind extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LeftBehind() {
            super(null, null, false, false);
        }
    }

    /** A call for one hold, to whichever server has its key. */
    private Answer call(Renewal renewal, long untilNanos, NodeCaller.Command command) {
        Answer answer = caller.callAside(key(renewal), untilNanos, (node, session) -> {
            if (!held.mayFollow(renewal.claim().id(), key(renewal), session)) {
                throw new LeftBehind();
            }
            return command.to(node, session);
        });
        proofs.require(answer.node(), answer.session(), untilNanos);
        return answer;
    }

    /** How long a silent server gets no renewals; the shortest lease must not end meanwhile. */
    private static Duration moment(List<Integer> which, List<Renewal> all) {
        Duration moment = MOMENT;
        for (int i : which) {
            Duration part = all.get(i).lease().dividedBy(8);
            moment = part.compareTo(moment) < 0 ? part : moment;
        }
        return moment;
    }

    /** What renewals must have in common to share a call. */
    private record Alike(boolean mutex, long leaseMillis, String client) {
        static Alike of(Renewal renewal) {
            Claim claim = renewal.claim();
            boolean mutex = Scripts.isMutex(claim.resource().kind());
            return new Alike(mutex, Scripts.millis(renewal.lease()), claim.id().client());
        }
    }

    /** Groups of renewals that can share a call. */
    private List<List<Integer>> grouped(List<Integer> which, List<Renewal> all) {
        int most = topology.takesManyKeys() ? MOST_KEYS : 1;
        List<List<Integer>> groups = new ArrayList<>();
        Map<Alike, List<Integer>> open = new HashMap<>();
        for (int i : which) {
            Alike alike = Alike.of(all.get(i));
            List<Integer> group = open.get(alike);
            if (group == null || group.size() == most) {
                group = new ArrayList<>();
                open.put(alike, group);
                groups.add(group);
            }
            group.add(i);
        }
        return groups;
    }

    private byte[][] command(Session session, List<Integer> group, List<Renewal> all) {
        Alike alike = Alike.of(all.get(group.get(0)));
        int count = group.size();
        byte[][] command = new byte[6 + 2 * count][];
        command[0] = Session.EVALSHA;
        command[1] = session.scripts().digest(alike.mutex ? Name.LOCK_RENEW : Name.SHARE_RENEW);
        command[2] = Bytes.of(count);
        command[3 + count] = Bytes.of(alike.leaseMillis);
        command[4 + count] = Bytes.of(Scripts.lifeMillis(alike.leaseMillis));
        command[5 + count] = Bytes.of(alike.client);
        for (int n = 0; n < count; n++) {
            Renewal renewal = all.get(group.get(n));
            command[3 + n] = keys.of(renewal.claim().resource()).bytes();
            command[6 + count + n] = Bytes.of(Keys.claimOfClient(renewal.claim()));
        }
        return command;
    }

    private void read(
            Node node,
            Session session,
            List<Integer> group,
            @Nullable Object reply,
            List<Renewal> all,
            @Nullable RenewResult[] results,
            long untilNanos) {
        Map<Integer, Long> exceptions = reply instanceof List<?> parts ? exceptions(parts) : Map.of();
        for (int n = 0; n < group.size(); n++) {
            int i = group.get(n);
            Renewal renewal = all.get(i);
            if (reply instanceof List<?>) {
                long leftMillis = exceptions.getOrDefault(n + 1, Scripts.millis(renewal.lease()));
                results[i] = leftMillis >= 0
                        ? renewed(session, renewal, leftMillis, untilNanos)
                        : forgotten(node, renewal, untilNanos);
            } else if (reply instanceof RedisReplyException) {
                results[i] =
                        alone(renewal, untilNanos); // a slot that moved, a script that is gone, a record that is broken
            } else {
                results[i] = failed(renewal, new IllegalStateException("got " + Replies.shown(reply)));
            }
        }
    }

    /** What is left of those that do not last exactly as long as was asked, by their place in the call. */
    private static Map<Integer, Long> exceptions(List<?> reply) {
        Map<Integer, Long> exceptions = new HashMap<>();
        for (int n = 0; n + 1 < reply.size(); n += 2) {
            exceptions.put((int) Replies.number(reply.get(n)), Replies.number(reply.get(n + 1)));
        }
        return exceptions;
    }

    private RenewResult renewed(Session session, Renewal renewal, long leftMillis, long untilNanos) {
        Duration left = Duration.ofMillis(leftMillis);
        held.renewed(renewal.claim().id(), left, startNanos(untilNanos), session);
        return new RenewResult.Renewed(left);
    }

    /** Repeats one renewal by itself, wherever its record is now. */
    private RenewResult alone(Renewal renewal, long untilNanos) {
        try {
            Answer answer =
                    call(renewal, untilNanos, (node, session) -> command(session, List.of(0), List.of(renewal)));
            long leftMillis = exceptions(answer.list()).getOrDefault(1, Scripts.millis(renewal.lease()));
            return leftMillis >= 0
                    ? renewed(answer.session(), renewal, leftMillis, untilNanos)
                    : forgotten(answer.node(), renewal, untilNanos);
        } catch (LeftBehind lost) {
            return GONE;
        } catch (RuntimeException failure) {
            return failed(renewal, failure);
        }
    }

    /**
     * The server does not know the claim. While it is shut because it may have forgotten claims, the holder's word
     * counts.
     */
    private RenewResult forgotten(Node node, Renewal renewal, long untilNanos) {
        Claim claim = renewal.claim();
        try {
            Session session = lookedAt(node, key(renewal), untilNanos);
            HeldClaims.Entry entry = held.reassertable(claim.id(), key(renewal), session, time.nanos());
            if (entry == null || !session.isShut(key(renewal), time.nanos())) {
                return GONE;
            }
            Renewal whole = new Renewal(claim, entry.atLeast(renewal.lease(), time.nanos()));
            Answer answer = call(
                    renewal,
                    untilNanos,
                    (now, met) -> reassertion(met, whole, entry.token() + claim.tokens() - 1, untilNanos));
            long leftMicros = Replies.number(answer.list().get(1));
            if (leftMicros == TOO_LATE) {
                throw RedisLinkException.timedOut("Redis got a renewal too late, and did nothing", null);
            }
            return leftMicros > 0
                    ? renewed(answer.session(), renewal, leftMicros / MICROS_PER_MILLI, untilNanos)
                    : GONE;
        } catch (LeftBehind lost) {
            return GONE;
        } catch (RuntimeException failure) {
            return failed(renewal, failure);
        }
    }

    /** When the renewals were requested: before anything was sent. */
    private long startNanos(long untilNanos) {
        return untilNanos - settings.requestTimeout().toNanos();
    }

    /**
     * A member of a quorum that was emptied, and a shard that a slot came to, are noticed only by looking at the mark;
     * one look serves all of these renewals.
     */
    private Session lookedAt(Node node, String key, long untilNanos) {
        Session known = node.current();
        boolean unsure =
                settings.isMember() || (known != null && !known.tenure().covers(key));
        if (unsure && node.lastShakeNanos() - startNanos(untilNanos) < 0) {
            node.doubt();
        }
        return node.session(untilNanos);
    }

    private byte[][] reassertion(Session session, Renewal renewal, long topToken, long untilNanos) {
        Claim claim = renewal.claim();
        long leaseMillis = Scripts.millis(renewal.lease());
        long notAfter = session.clock().atLeastMicros(untilNanos);
        List<byte[]> arguments = new ArrayList<>(
                Arrays.asList(Keys.encoded(claim), Bytes.of(notAfter), Bytes.of(leaseMillis), Bytes.of(topToken)));
        boolean mutex = Scripts.isMutex(claim.resource().kind());
        if (!mutex) {
            arguments.add(Bytes.of(claim.tokens()));
            arguments.add(Bytes.of(claim.weight()));
            arguments.add(Bytes.of(claim.resource().capacity()));
        }
        arguments.add(Bytes.of(session.shutUntilMicros(key(renewal), time.nanos())));
        return session.call(
                mutex ? Name.LOCK_REASSERT : Name.SHARE_REASSERT, key(renewal), arguments.toArray(new byte[0][]));
    }

    private String key(Renewal renewal) {
        return keys.of(renewal.claim().resource()).text();
    }

    private RenewResult failed(Renewal renewal, RuntimeException failure) {
        return new RenewResult.Failed(ErrorMessages.with(renewal.claim().resource(), settings, failure));
    }
}
