package io.holdfast.redis.backend;

import io.holdfast.DurationText;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.RecordKeys;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.redis.protocol.Secrets;
import io.holdfast.redis.protocol.ServerRules;
import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.servers.Proofs;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.TokenFloor;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks for claims with one script call each, and interprets the reply. */
final class Claims {
    private static final long NANOS_PER_MICRO = 1_000;

    /** How often a request is repeated that came too late because of a wrong estimate of the server's clock. */
    private static final int MOST_RETRIES = 16;

    /**
     * The least time for an answer after another one took all of it: the answer may be there already, or need a
     * handshake.
     */
    private static final long GRACE_NANOS = 50_000_000;

    /** The pause for a server that is about to get a slot. */
    private static final Duration MOVING_PAUSE = Duration.ofMillis(200);

    /** When to ask again after a wait for a connection that came to nothing. */
    private static final Duration NEXT_TURN = Duration.ofMillis(100);

    private static final long GRANTED = 1;
    private static final long TOO_LATE = -1;
    private static final long OTHER_CAPACITY = -2;
    private static final long ASK_AGAIN = -3;
    private static final long SHAKE_HANDS = -4;

    private static final String SHUT_SERVER =
            "Redis restarted, is new or took over from another server, or its slot came from another one, so what was"
                    + " held before may have been forgotten; nothing new is granted until those leases have ended."
                    + " A new server need not wait if it is initialised before the first client comes: startEmpty(),"
                    + " or holdfast init";

    private static final String SHUT_MEMBER =
            "it restarted, was emptied or is new, so what was held before may have been forgotten; nothing new is"
                    + " granted until those leases have ended. New nodes need not wait if they are initialised before"
                    + " the first client comes: startEmpty(), or holdfast quorum init";

    /** How many arguments the scripts have, without the lowest token. */
    private static final int LOCK_ARGUMENTS = 6;

    private static final int SHARE_ARGUMENTS = 8;

    private static final byte[] ZERO = Bytes.of("0");
    private static final byte[] ONE = Bytes.of("1");
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] DEAF = Bytes.of("-");

    private final NodeCaller caller;
    private final RedisSettings settings;
    private final Timing time;
    private final HeldClaims held;
    private final Proofs proofs;
    private final TokenFloor floor;
    private final Secrets secrets;
    private final Releases releases;
    private final OwnLines lines;
    private final RecordKeys keys;
    private final ServerTimes serverTimes;

    Claims(
            NodeCaller caller,
            RedisSettings settings,
            HeldClaims held,
            Proofs proofs,
            TokenFloor floor,
            Secrets secrets,
            Releases releases,
            OwnLines lines,
            RecordKeys keys,
            ServerTimes serverTimes) {
        this.caller = caller;
        this.settings = settings;
        this.time = settings.time();
        this.held = held;
        this.proofs = proofs;
        this.floor = floor;
        this.secrets = secrets;
        this.releases = releases;
        this.lines = lines;
        this.keys = keys;
        this.serverTimes = serverTimes;
    }

    /** One claim that is asked for, once or repeatedly. */
    private final class Question implements NodeCaller.Command {
        private final Claim claim;
        private final RecordKeys.Key key;
        private final long handedNanos = time.nanos();
        private long untilNanos;

        /**
         * Whether the request said that this client listens; what counts is what was sent, not the state when the
         * answer comes.
         */
        private boolean announced;

        /**
         * The answer if there is no turn for the next call: nothing was asked yet, or what was heard last. Null if that
         * is trouble, because the server may know more of the claim.
         */
        private @Nullable AttemptResult withoutTurn;

        Question(Claim claim, Duration patience) {
            this.claim = claim;
            this.key = keys.of(claim.resource());
            this.untilNanos = handedNanos + patience.toNanos();
            lines.forget(claim.id()); // until the server has answered
        }

        @Override
        public byte[][] to(Node node, Session session) {
            announced = claim.waits() && node.subscription().listens(session);
            return attemptCall(claim, key, node, session, handedNanos, announced);
        }
    }

    /** A wait that is shorter than a round trip still asks once. */
    private Duration enough(Claim claim, Duration patience) {
        if (patience.compareTo(settings.requestTimeout()) >= 0) {
            return patience;
        }
        Duration least = caller.leastPatience(keys.of(claim.resource()).text());
        return patience.compareTo(least) < 0 ? least : patience;
    }

    /** Makes one attempt for a claim, the first or a later one. */
    AttemptResult attempt(Claim claim, Duration patience) {
        claim.check();
        Question question = new Question(claim, enough(claim, patience));
        question.withoutTurn = claim.waits() ? new AttemptResult.Busy(NEXT_TURN) : null;
        return answer(question, null);
    }

    /** The same in two steps, so that others can be asked in between. */
    Supplier<AttemptResult> beginAttempt(Claim claim, Duration patience) {
        claim.check();
        Question question = new Question(claim, patience);
        try {
            NodeCaller.Sent sent = caller.send(question.key.text(), question.untilNanos, question);
            return () -> {
                question.untilNanos = Math.max(question.untilNanos, time.nanos() + GRACE_NANOS);
                return answer(question, sent);
            };
        } catch (Shut shut) {
            return () -> shut.refusal;
        } catch (RuntimeException failure) {
            RuntimeException told = ErrorMessages.with(claim.resource(), settings, failure);
            return () -> {
                throw told;
            };
        }
    }

    private AttemptResult answer(Question question, NodeCaller.@Nullable Sent first) {
        Claim claim = question.claim;
        NodeCaller.Sent sent = first;
        try {
            for (int retry = 0; retry <= MOST_RETRIES; ) {
                Answer answer = sent != null
                        ? caller.receive(sent, question.key.text(), question.untilNanos, question)
                        : caller.callReplicated(question.key.text(), question.untilNanos, question);
                if (sent != null) { // which may have waited for its turn
                    question.untilNanos = Math.max(question.untilNanos, time.nanos() + GRACE_NANOS);
                }
                sent = null;
                AttemptResult result = result(question, answer);
                question.withoutTurn = result;
                boolean isUnfinished = isUnfinished(result);
                if (result != null && !(isUnfinished && question.untilNanos - time.nanos() > 0)) {
                    return result;
                }
                retry += isUnfinished ? 0 : 1; // each call removes some dead places, so this ends
            }
        } catch (Shut shut) {
            return shut.refusal;
        } catch (RuntimeException failure) {
            if (question.withoutTurn != null && failure instanceof RedisLinkException link && link.isNoTurn()) {
                return question.withoutTurn; // it waited for its own client, which is no trouble of the store
            }
            throw ErrorMessages.with(claim.resource(), settings, failure);
        }
        throw new LockStoreException(
                claim.resource().kind(),
                claim.resource().name(),
                "Redis got the request for '" + claim.resource().name() + "' later than "
                        + DurationText.of(settings.requestTimeout())
                        + " after it was made, and did nothing; see why the server or the network is slow",
                null);
    }

    /** Whether more dead places stand before the claim than one call removes: ask again at once. */
    private static boolean isUnfinished(@Nullable AttemptResult result) {
        if (result instanceof AttemptResult.Queued queued) {
            return queued.left().isZero();
        }
        return result instanceof AttemptResult.Busy busy && busy.left().isZero();
    }

    /** Stops a call before it is sent to a server that is shut. */
    private static final class Shut extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient AttemptResult.Refused refusal;

        Shut(AttemptResult.Refused refusal) {
            super(null, null, false, false);
            this.refusal = refusal;
        }
    }

    private byte[][] attemptCall(
            Claim claim, RecordKeys.Key record, Node node, Session session, long handedNanos, boolean announced) {
        String key = record.text();
        long nowNanos = time.nanos(); // it may have waited for its turn
        if (session.skew().isFarAhead()) {
            node.doubt(); // so that the next call reads the clock again
            throw ServerRules.farOff(session.skew()).on(node, false);
        }
        if (session.homeless()) {
            throw new Shut(new AttemptResult.Refused(node + " has no slot of its own yet", MOVING_PAUSE));
        }
        if (!session.tenure().covers(key)) {
            if (!caller.looksAgain(node, handedNanos)) {
                throw new Shut(new AttemptResult.Refused("its slot is on its way to " + node, MOVING_PAUSE));
            }
            throw new RedisReplyException(
                    node.address(), RedisError.NOSCRIPT + " it has the slot only since a moment ago");
        }
        long shutNanos = session.shutNanos(key, time.nanos());
        if (shutNanos > 0) {
            throw new Shut(new AttemptResult.Refused(
                    settings.isMember() ? SHUT_MEMBER : SHUT_SERVER, Duration.ofNanos(shutNanos)));
        }
        Resource resource = claim.resource();
        byte[] notice =
                !claim.waits() ? NOTHING : announced ? Bytes.of(session.notice() + ' ' + secrets.of(claim.id())) : DEAF;
        long notAfter = session.clock().atLeastMicros(nowNanos)
                + settings.requestTimeout().toNanos() / NANOS_PER_MICRO;
        long leaseMillis = Scripts.millis(claim.lease());
        byte[][] lowest = claim.leastToken() > 0
                ? new byte[][] {Bytes.of(claim.leastToken() - 1), ONE}
                : floor.arguments(session.clock(), nowNanos);
        boolean mutex = Scripts.isMutex(resource.kind());
        int count = mutex ? LOCK_ARGUMENTS : SHARE_ARGUMENTS;
        byte[][] call =
                session.call(mutex ? Name.LOCK_ATTEMPT : Name.SHARE_ATTEMPT, record.bytes(), count + lowest.length);
        int at = Session.WORDS;
        call[at++] = Keys.encoded(claim);
        call[at++] = Bytes.of(notAfter);
        call[at++] = Bytes.of(leaseMillis);
        call[at++] = Bytes.of(claim.tokens());
        if (mutex) {
            call[at++] = Bytes.of(Scripts.lifeMillis(leaseMillis));
            call[at++] = notice;
        } else {
            call[at++] = notice;
            call[at++] = Bytes.of(claim.weight());
            call[at++] = Bytes.of(resource.capacity());
            call[at++] = resource.kind() == LockKind.LATCH ? ONE : ZERO;
        }
        System.arraycopy(lowest, 0, call, at, lowest.length);
        return call;
    }

    /**
     * What a reply means. Null means to ask again: the server's clock was not as estimated, or the call is not
     * finished.
     */
    private @Nullable AttemptResult result(Question question, Answer answer) {
        Claim claim = question.claim;
        answer.session().following().use(); // a waiting claim will need it too
        if (answer.reply() instanceof Long now) { // granted as asked, and the token is the time
            serverTimes.learn(answer, now);
            return granted(question, answer, now, Duration.ofMillis(Scripts.millis(claim.lease())), now);
        }
        List<?> reply = answer.list();
        serverTimes.learn(answer, Replies.number(reply.get(1)));
        long code = Replies.number(reply.get(0));
        if (code == SHAKE_HANDS) {
            answer.node().doubt();
            return null;
        }
        if (code == TOO_LATE) {
            return null;
        }
        if (code == ASK_AGAIN) {
            return new AttemptResult.Busy(Duration.ZERO);
        }
        long third = Replies.number(reply.get(2));
        if (code == OTHER_CAPACITY) {
            return new AttemptResult.Mismatched((int) third);
        }
        Duration left = Duration.ofNanos(third * NANOS_PER_MICRO);
        long fourth = Replies.number(reply.get(3));
        if (code == GRANTED) {
            return granted(question, answer, fourth, left, Replies.number(reply.get(1)));
        }
        if (!claim.waits() || fourth <= 0) {
            return new AttemptResult.Busy(left);
        }
        if (!question.announced) {
            answer.node().subscription().open();
        }
        int place = (int) Math.min(fourth, Integer.MAX_VALUE);
        if (question.announced && !left.isZero()) {
            lines.saw(claim, question.key.text(), answer.node(), answer.session(), place, left, answer.sentNanos());
        }
        return new AttemptResult.Queued(place, left, question.announced);
    }

    /** Null if the reply shows that a floor was needed: asked again, the claim gets a greater token. */
    private @Nullable AttemptResult granted(
            Question question, Answer answer, long token, Duration left, long serverMicros) {
        Claim claim = question.claim;
        long expectedMicros = answer.session().clock().atLeastMicros(question.handedNanos);
        if (claim.leastToken() == 0 && floor.isAbove(token, expectedMicros, question.handedNanos)) {
            return null;
        }
        if (answer.replicas() < settings.replicas()) {
            throw givenBack(
                    claim,
                    new LockStoreException(
                            claim.resource().kind(),
                            claim.resource().name(),
                            answer.node() + " granted '" + claim.resource().name() + "', but fewer than "
                                    + settings.replicas()
                                    + " replicas had it after " + DurationText.of(settings.replicasTimeout())
                                    + "; it was given back. Bring the replicas up, or ask for fewer with"
                                    + " replicas(n, timeout)",
                            null));
        }
        ClockSkew skew = ClockSkew.of(serverMicros, time.wallMillis());
        if (skew.isFarAhead()) {
            throw givenBack(claim, ServerRules.farOff(skew).on(answer.node(), false));
        }
        proofs.require(answer.node(), answer.session(), question.untilNanos);
        floor.granted(token, answer.receivedNanos());
        held.granted(claim, token, left, answer.sentNanos(), answer.session());
        return new AttemptResult.Granted(token, left.plus(answer.waited()));
    }

    /** Gives back what must not be handed out. If that fails, the first failure is still the one to report. */
    private RuntimeException givenBack(Claim claim, RuntimeException why) {
        try {
            releases.release(claim);
        } catch (RuntimeException second) {
            why.addSuppressed(second);
        }
        return why;
    }
}
