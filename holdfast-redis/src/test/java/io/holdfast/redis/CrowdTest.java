package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.protocol.Keys;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.CommandStat;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many claims of one client in one line: one asks for all. */
@Tag("integration")
class CrowdTest {
    private static final int MANY = 60;
    private static final int LAST = MANY - 1;

    /** Longer than the server's word is good without a question, and shorter than a place lasts. */
    private static final Duration DUE = Duration.ofMillis(950);

    /** How long the server's word is good, while nobody asks for all and when it is due. */
    private static final Duration NEW = Duration.ofMillis(850);

    private static final Duration GOOD = Duration.ofMillis(1_700);

    /** A little less than a place lasts. */
    private static final Duration PLACE = Duration.ofMillis(2_800);

    private static final int MOST_ROUNDS = 20;

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private RawLocks locks;
    private final List<Claim> crowd = new ArrayList<>();
    private Claim held;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        locks = bench.raw(server.uri());
        held = locks.claim("order", 60_000, false);
        locks.grant(held);
    }

    /**
     * What is slower than that on a crowded machine shows nothing, because the server's word is old by then, or places
     * have ended. It is done anew on a server of its own.
     */
    private void quickly(Duration most, Runnable round) {
        for (int rounds = 1; ; rounds++) {
            long sinceNanos = System.nanoTime();
            try {
                round.run();
                return;
            } catch (AssertionError | RuntimeException failure) {
                if (rounds == MOST_ROUNDS || System.nanoTime() - sinceNanos < most.toNanos()) {
                    throw failure;
                }
            }
            crowd.clear();
            start();
        }
    }

    /** Returns when the last of them had asked. */
    private long queue(int size) {
        Claim first = locks.claim("order", 30_000, true);
        locks.queue(first);
        locks.release(first); // from now on every claim is announced at once
        for (int i = 0; i < size; i++) {
            crowd.add(locks.claim("order", 30_000, true));
            assertThat(locks.attempt(crowd.get(i))).isInstanceOf(AttemptResult.Queued.class);
        }
        long sinceNanos = System.nanoTime();
        server.resetStats();
        return sinceNanos;
    }

    private long calls() {
        CommandStat stat = server.commandStats().get("evalsha");
        return stat == null ? 0 : stat.calls();
    }

    private AttemptResult ask(int which) {
        return locks.attempt(crowd.get(which));
    }

    /** Until when the server keeps the places of all, in server microseconds. */
    private List<Long> ends() {
        return crowd.stream().map(this::place).map(CrowdTest::end).toList();
    }

    private static long end(String place) {
        return Long.parseLong(place.split(" ", -1)[1]);
    }

    private String place(Claim claim) {
        Object at = server.command("HGET", bench.key("order"), "@" + Keys.claim(claim));
        return String.valueOf(server.command("HGET", bench.key("order"), "q" + at));
    }

    @Test
    void attempt_heardOfAMomentAgo_onlyTheFirstTwoAskTheServer() {
        quickly(NEW, this::heardOfAMomentAgo);
    }

    private void heardOfAMomentAgo() {
        queue(MANY);

        List<AttemptResult> answers =
                Stream.iterate(0, i -> i + 1).limit(MANY).map(this::ask).toList();

        assertThat(calls()).isEqualTo(2);
        for (int i = 0; i < MANY; i++) {
            AttemptResult.Queued queued = (AttemptResult.Queued) answers.get(i);
            assertThat(queued.place()).isEqualTo(i + 1);
            assertThat(queued.announced()).isTrue();
            assertThat(queued.left()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(60));
        }
    }

    @Test
    void attempt_fewWait_eachAsksTheServer() {
        queue(31);

        ask(20);
        ask(30);

        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void attempt_due_oneCallKeepsThePlacesOfAll() {
        quickly(GOOD, this::due);
    }

    private void due() {
        long sinceNanos = queue(MANY);
        List<Long> before = ends();
        List<String> places = crowd.stream().map(this::place).toList();
        Bench.passes(sinceNanos + DUE.toNanos());

        assertThat(ask(LAST)).isInstanceOf(AttemptResult.Queued.class);
        for (int i = 10; i < LAST; i++) {
            assertThat(ask(i)).isInstanceOf(AttemptResult.Queued.class);
        }

        assertThat(calls()).isEqualTo(1);
        List<Long> after = ends();
        for (int i = 0; i < MANY; i++) {
            assertThat(after.get(i)).isGreaterThan(before.get(i));
            String place = places.get(i);
            assertThat(place(crowd.get(i))).isEqualTo(place.replace(" " + end(place) + " ", " " + after.get(i) + " "));
        }
    }

    @Test
    void attempt_oneOfThemIsNotInTheLineAnyMore_thatOneIsToldToAskTheServer() {
        quickly(GOOD, this::oneOfThemIsNotInTheLineAnyMore);
    }

    private void oneOfThemIsNotInTheLineAnyMore() {
        long sinceNanos = queue(MANY);
        server.command("HDEL", bench.key("order"), "@" + Keys.claim(crowd.get(20)));
        Bench.passes(sinceNanos + DUE.toNanos());

        ask(LAST);

        assertThat(locks.served()).containsExactly(crowd.get(20).id());
        server.resetStats();
        assertThat(((AttemptResult.Queued) ask(20)).place()).isEqualTo(MANY + 1);
        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void attempt_leaseOfTheHolderIsOver_theFirstOfThemIsToldToAsk() {
        quickly(GOOD, this::leaseOfTheHolderIsOver);
    }

    private void leaseOfTheHolderIsOver() {
        long sinceNanos = queue(MANY);
        server.command("PEXPIRE", bench.key("order"), "9000"); // less than a record is kept without a holder
        Bench.passes(sinceNanos + DUE.toNanos());

        ask(LAST);

        assertThat(locks.served()).containsExactly(crowd.get(0).id());
        assertThat(ask(0)).isInstanceOf(AttemptResult.Granted.class);
    }

    @Test
    void attempt_messagesMayHaveBeenLost_everybodyAsksTheServer() {
        quickly(PLACE, this::messagesMayHaveBeenLost);
    }

    private void messagesMayHaveBeenLost() {
        queue(MANY);
        boolean quick = false; // or else they ask the server because its word is old
        for (int round = 0; round < MOST_ROUNDS && !quick; round++) {
            long missed = locks.missedCount();
            long sinceNanos = System.nanoTime();
            crowd.forEach(locks::attempt);
            server.clientKill("pubsub");
            Bench.soon("the loss to be noticed").until(() -> locks.missedCount() > missed);
            Bench.soon("a new subscription").until(this::isSubscribed);
            List<Long> before = ends();

            ask(20);
            ask(30);

            quick = System.nanoTime() - sinceNanos < NEW.toNanos();
            assertThat(ends().get(20)).isGreaterThan(before.get(20));
            assertThat(ends().get(30)).isGreaterThan(before.get(30));
        }
    }

    private boolean isSubscribed() {
        return server.command("PUBSUB", "CHANNELS") instanceof List<?> channels && !channels.isEmpty();
    }

    @Test
    void attempt_wasHandedOver_asksTheServer() {
        quickly(PLACE, this::wasHandedOver);
    }

    private void wasHandedOver() {
        queue(MANY);
        for (int i = 0; i < 10; i++) {
            locks.release(i == 0 ? held : crowd.get(i - 1));
        }
        Bench.soon("ten grants").until(() -> locks.grants().size() == 10);
        server.resetStats();

        assertThat(ask(9)).isInstanceOf(AttemptResult.Granted.class);
        assertThat(calls()).isEqualTo(1);
    }

    /** The engine takes over when the round of all fails: whoever was not told of in time asks by itself. */
    @Test
    void attempt_theRoundFails_nobodyLosesThePlace() {
        quickly(PLACE, this::theRoundFails);
    }

    private void theRoundFails() {
        long sinceNanos = queue(MANY);
        server.command("RENAME", bench.key("order"), "elsewhere");
        server.command("SET", bench.key("order"), "broken");
        Bench.passes(sinceNanos + DUE.toNanos());
        assertThat(ask(LAST)).isInstanceOf(AttemptResult.Queued.class);
        server.command("DEL", bench.key("order"));
        server.command("RENAME", "elsewhere", bench.key("order"));
        Bench.passes(sinceNanos + Duration.ofMillis(2_100).toNanos());
        long end = end(place(crowd.get(LAST)));

        AttemptResult itself = locks.backend().attempt(crowd.get(LAST), Duration.ofMillis(1_500)); // no time for all
        assertThat(((AttemptResult.Queued) itself).place()).isEqualTo(MANY);
        assertThat(end(place(crowd.get(LAST)))).isGreaterThan(end);
        assertThat(locks.served()).isEmpty();
    }
}
