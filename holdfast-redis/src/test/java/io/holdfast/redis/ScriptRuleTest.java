package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules for states that a client rarely meets: the scripts alone, on a real server. */
@Tag("integration")
class ScriptRuleTest {
    private static final String LONGEST = "60000";
    private static final String EXTRA = "11000";
    private static final String LIFE = "71000";
    private static final String FLOOR = "4503599627370496";
    private static final String NEVER = Long.toString(Long.MAX_VALUE);

    /** What a client says with a release that must serve nobody. */
    private static final String SHUT = Long.toString(1L << 53);

    private final Scripts scripts = new Scripts("this-server", "test:", null);

    @AutoClose
    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @Test
    void guard_memoryFull_stillAnswersForAServerThatIsMarked() {
        run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "new", LIFE, "0", "-1", "");
        server.command("CONFIG", "SET", "maxmemory", "1");

        assertThat(run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "", LIFE, "0", "-1", "")
                        .get(1))
                .isEqualTo(0L);
    }

    /** Clients count the shut time themselves; one that has not counted gives the others a moment to object. */
    @Test
    void guard_shutTimeOver_opensForGoodAfterWhoHasCounted() {
        server.command("SET", "mark", "id 2 " + LONGEST + " 0");
        List<?> newcomer = guard("-1");
        assertThat((Long) newcomer.get(1) - (Long) newcomer.get(0)).isEqualTo(5_000_001L);
        assertThat(guard("-1").get(1)).as("waits with the first one").isEqualTo(newcomer.get(1));
        assertThat(guard("5000").get(1)).as("of the first one, no objection").isEqualTo(newcomer.get(1));
        server.command("SET", "mark", "id 2 " + LONGEST + " 0");
        assertThat(guard("0").get(1)).isEqualTo(0L);
        assertThat(server.command("GET", "mark")).isEqualTo("id 0 " + LONGEST + " 0");
        assertThat(guard("-1").get(1)).isEqualTo(0L);
    }

    /** Short-lived clients never count to the end; but nobody has objected. */
    @Test
    void guard_nobodyObjectedToANewcomer_opensForTheNextOne() {
        server.command("SET", "mark", "id 3 " + LONGEST + " 0");
        assertThat(guard("-1").get(1)).isEqualTo(0L);
        assertThat(server.command("GET", "mark")).isEqualTo("id 0 " + LONGEST + " 0");
    }

    @Test
    void guard_slotShutAndClockSetBack_isShutForNoLongerThanAtFirst() {
        long now = (Long) guard("-1").get(0);
        server.command("SET", "mark", "id 0 " + LONGEST + " 0 1-2@0,3-3@" + (now + 3_600_000_000L));
        List<?> answer = run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "", LIFE, "0", "-1", "1-3");
        assertThat(answer.get(5)).isEqualTo("1-2@0,3-3@" + ((Long) answer.get(0) + 71_000_000L));
    }

    /** The clock was set forward: by it the server is open, but not by a client that saw it shut. */
    @Test
    void guard_whoCountsSaysThatItIsShut_isPutOffAndNeverShortened() {
        for (String mark : new String[] {"id 2 ", "id 1 ", "id 0 "}) {
            server.command("SET", "mark", mark + LONGEST + " 0");
            List<?> counting = guard("30000");
            assertThat((Long) counting.get(1) - (Long) counting.get(0)).isEqualTo(30_000_000L);
            assertThat(guard("10000").get(1)).isEqualTo(counting.get(1));
            assertThat(guard("0").get(1)).as("objected to").isEqualTo(counting.get(1));
            assertThat(guard("-1").get(1)).isEqualTo(counting.get(1));
        }
    }

    @Test
    void guard_clockSetBack_isShutForNoLongerThanAtFirst() {
        long now = (Long) guard("-1").get(0);
        server.command("SET", "mark", "id " + (now + 3_600_000_000L) + " " + LONGEST + " 0");
        long until = (Long) guard("0").get(1);
        assertThat(until - now).isBetween(71_000_000L, 72_000_000L);
    }

    /** However long a server has been up: its clock says so, and its clock may have been set. */
    @Test
    void guard_noMark_isShut() {
        List<?> answer = guard("-1");
        assertThat((Long) answer.get(1) - (Long) answer.get(0)).isEqualTo(71_000_000L);
    }

    private List<?> guard(String still) {
        return run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "", LIFE, "0", still, "");
    }

    @Test
    void guard_anotherLongestLease_changesNothing() {
        run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "", LIFE, "0", "-1", "");
        Object before = server.command("GET", "mark");
        server.command("PEXPIRE", "mark", "70000");

        assertThat(run(Name.GUARD, "mark", "other", "1000", EXTRA, "new", LIFE, "0", "-1", "")
                        .get(2))
                .isEqualTo(60_000L);

        assertThat(server.command("GET", "mark")).isEqualTo(before);
        assertThat((Long) server.command("PTTL", "mark")).isGreaterThan(60_000L);
    }

    @Test
    void reassert_claimWasEnded_staysEnded() {
        Object first = evaluate(Name.LOCK_ATTEMPT, "lock", "c:1:x", NEVER, "30000", "16", "40001", "");
        long top = (Long) first + 15;
        evaluate(Name.LOCK_RELEASE, "lock", "c:1:x", "0");

        assertThat(run(Name.LOCK_REASSERT, "lock", "c:1:x", NEVER, "30000", Long.toString(top), NEVER)
                        .get(1))
                .isEqualTo(-1L);
        server.command("DEL", "lock");
        assertThat(run(Name.LOCK_REASSERT, "lock", "c:1:x", NEVER, "30000", Long.toString(top), NEVER)
                        .get(1))
                .isEqualTo(30_000_000L);
        assertThat((Long) server.command("PTTL", "lock")).isPositive();
    }

    /** Whoever puts back first may have a later token than the others: all come back. */
    @Test
    void reassertOfAShare_forgotten_isPutBackInAnyOrder() {
        assertThat(putBack("c:2:x", 2_000, 2)).isEqualTo(30_000_000L);
        assertThat(putBack("c:1:x", 1_000, 1)).isEqualTo(30_000_000L);
        assertThat(server.command("HGET", "shares", "used")).isEqualTo("3");
        assertThat(server.command("HGET", "shares", "token")).isEqualTo("2000");
        assertThat(firstToken("c:1:x")).isEqualTo(1_000L);
        assertThat((Long) server.command("PTTL", "shares")).isGreaterThan(30_000L);
        assertThat(putBack("c:2:x", 2_000, 2)).as("asked again").isEqualTo(30_000_000L);
        assertThat(server.command("HGET", "shares", "used")).isEqualTo("3");
    }

    @Test
    void reassertOfAShare_doesNotFit_refused() {
        putBack("c:1:x", 1_000, 2);
        Object before = server.command("HGETALL", "shares");
        assertThat(putBack("c:2:x", 2_000, 2)).as("two of three are taken").isEqualTo(-1L);
        assertThat(run(Name.SHARE_REASSERT, "shares", "c:3:x", NEVER, "30000", "3000", "1", "1", "9", NEVER)
                        .get(1))
                .as("another capacity")
                .isEqualTo(-1L);
        assertThat(server.command("HGETALL", "shares")).isEqualTo(before);
        assertThat(putBack("c:4:x", 4_000, 1)).as("the third").isEqualTo(30_000_000L);
    }

    @Test
    void reassertOfAShare_late_changesNothing() {
        assertThat(run(Name.SHARE_REASSERT, "shares", "c:1:x", "1", "30000", "7", "1", "1", "3", NEVER)
                        .get(1))
                .isEqualTo(-2L);
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    /** The record knew it, and does not any more: somebody ended it, before the server came back or since. */
    @Test
    void reassertOfAShare_claimWasEnded_staysEnded() {
        run(Name.SHARE_ATTEMPT, "shares", "c:1:x", NEVER, "30000", "1", "", "1", "3", "0");
        run(Name.SHARE_ATTEMPT, "shares", "c:2:x", NEVER, "30000", "1", "", "1", "3", "0");
        long first = firstToken("c:1:x");
        long later = firstToken("c:2:x") + 1_000;
        evaluate(Name.SHARE_RELEASE, "shares", "c:1:x", SHUT, "0");
        assertThat(putBack("c:1:x", first, 1)).as("known here, and ended").isEqualTo(-1L);

        assertThat(putBack("c:3:x", later, 1))
                .as("granted later, and forgotten")
                .isEqualTo(30_000_000L);
        assertThat(putBack("c:1:x", first, 1)).as("still").isEqualTo(-1L);
        assertThat(putBack("c:4:x", later - 1, 1)).as("forgotten, too").isEqualTo(30_000_000L);
        evaluate(Name.SHARE_RELEASE, "shares", "c:3:x", SHUT, "0");
        assertThat(putBack("c:3:x", later, 1)).as("put back, and then ended").isEqualTo(-1L);
        evaluate(Name.SHARE_RELEASE, "shares", "c:4:x", SHUT, "0");
        assertThat(putBack("c:4:x", later - 1, 1)).isEqualTo(-1L);
        assertThat(putBack("c:3:x", later, 1)).isEqualTo(-1L);
        assertThat(server.command("HGET", "shares", "used")).as("that of c:2").isEqualTo("1");
    }

    /** What is remembered for those who put back is of no use when the server is open again. */
    @Test
    void attemptForAShare_afterPutBacks_leavesNothingOfThem() {
        putBack("c:1:x", 1_000, 1);
        putBack("c:2:x", 2_000, 1);
        evaluate(Name.SHARE_RELEASE, "shares", "c:1:x", SHUT, "0");
        assertThat(server.command("HMGET", "shares", "own", "ended")).isEqualTo(List.of("0", "c:1:x "));
        run(Name.SHARE_ATTEMPT, "shares", "c:3:x", NEVER, "30000", "1", "", "1", "3", "0");
        assertThat(server.command("HEXISTS", "shares", "own")).isEqualTo(0L);
        assertThat(server.command("HEXISTS", "shares", "ended")).isEqualTo(0L);
        assertThat(putBack("c:1:x", 1_000, 1)).isEqualTo(-1L);
    }

    /** Asserts a share of three with this last token again. */
    private long putBack(String claim, long token, int weight) {
        String last = Long.toString(token);
        return (Long) run(
                        Name.SHARE_REASSERT,
                        "shares",
                        claim,
                        NEVER,
                        "30000",
                        last,
                        "1",
                        Integer.toString(weight),
                        "3",
                        NEVER)
                .get(1);
    }

    @Test
    void attempt_freeAndNotAheadOfTheClock_answersWithOneNumber() {
        Object first = evaluate(Name.LOCK_ATTEMPT, "lock", "c:1:x", NEVER, "30000", "16", "40001", "");
        List<?> again = run(Name.LOCK_ATTEMPT, "lock", "c:1:x", NEVER, "30000", "16", "40001", "");

        assertThat(again.get(0)).isEqualTo(1L);
        assertThat(again.get(3)).as("the same token, asked again").isEqualTo(first);
    }

    @Test
    void attempt_tokensAreAheadOfTheClock_answersWithTimeAndToken() {
        server.command("HSET", "lock", "hold", "4503599627370496");

        List<?> granted = run(Name.LOCK_ATTEMPT, "lock", "c:1:x", NEVER, "30000", "16", "40001", "");

        assertThat(granted.get(0)).isEqualTo(1L);
        assertThat((Long) granted.get(1)).as("time").isLessThan(4503599627370496L);
        assertThat(granted.get(2)).as("left").isEqualTo(30_000_000L);
        assertThat(granted.get(3)).as("token").isEqualTo(4503599627370497L);
    }

    @Test
    void attempt_late_changesNothing() {
        assertThat(run(Name.SHARE_ATTEMPT, "shares", "c:1:x", "1", "30000", "1", "-", "1", "3", "0")
                        .get(0))
                .isEqualTo(-1L);
        assertThat(run(Name.LOCK_ATTEMPT, "lock", "c:1:x", "1", "30000", "1", "40001", "-")
                        .get(0))
                .isEqualTo(-1L);
        assertThat(run(Name.LOCK_REASSERT, "lock", "c:1:x", "1", "30000", "7", NEVER)
                        .get(1))
                .isEqualTo(-2L);
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    /**
     * A request that was under way while the server opened: another client may have held the lock and released it
     * meanwhile.
     */
    @Test
    void reassert_serverIsOpen_refused() {
        long now = (Long) run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "new", LIFE, "0", "-1", "")
                .get(0);
        assertThat(run(Name.LOCK_REASSERT, "lock", "c:1:x", NEVER, "30000", "7", Long.toString(now))
                        .get(1))
                .isEqualTo(-1L);
        assertThat(run(Name.SHARE_REASSERT, "share", "c:1:x", NEVER, "30000", "7", "1", "1", "3", Long.toString(now))
                        .get(1))
                .isEqualTo(-1L);
    }

    /** Whoever is served would get what an earlier holder, whom the server forgot, may still have. */
    @Test
    void release_serverIsShut_freesAndServesNobody() {
        evaluate(Name.LOCK_ATTEMPT, "lock", "c:1:x", NEVER, "30000", "1", "40001", "");
        run(Name.LOCK_ATTEMPT, "lock", "c:2:x", NEVER, "30000", "1", "40001", "-");
        assertThat(evaluate(Name.LOCK_RELEASE, "lock", "c:1:x", SHUT)).isEqualTo(1L);
        assertThat(server.command("HGET", "lock", "hold").toString())
                .as("free, and somebody waits")
                .matches("\\d+ \\+");
        assertThat(evaluate(Name.LOCK_RELEASE, "lock", "c:1:x", SHUT))
                .as("repeated")
                .isEqualTo(0L);
        assertThat(server.command("HGET", "lock", "hold").toString()).matches("\\d+ \\+");
        evaluate(Name.LOCK_RELEASE, "lock", "c:1:x", "0");
        assertThat(server.command("HGET", "lock", "hold").toString())
                .as("open again")
                .endsWith(" c:2:x");
    }

    /** The same for shares. */
    @Test
    void releaseOfAShare_serverIsShut_freesAndServesNobody() {
        run(Name.SHARE_ATTEMPT, "shares", "c:1:x", NEVER, "30000", "1", "-", "1", "1", "0");
        run(Name.SHARE_ATTEMPT, "shares", "c:2:x", NEVER, "30000", "1", "-", "1", "1", "0");
        assertThat(evaluate(Name.SHARE_RELEASE, "shares", "c:1:x", SHUT, "0")).isEqualTo(1L);
        assertThat(server.command("HGET", "shares", "used")).isEqualTo("0");
        assertThat(server.command("HEXISTS", "shares", "=c:2:x")).isEqualTo(0L);
        assertThat(evaluate(Name.SHARE_RELEASE, "shares", "c:1:x", SHUT, "0"))
                .as("repeated")
                .isEqualTo(0L);
        assertThat(server.command("HEXISTS", "shares", "=c:2:x")).isEqualTo(0L);
        evaluate(Name.SHARE_RELEASE, "shares", "c:1:x", "0", "0");
        assertThat(server.command("HEXISTS", "shares", "=c:2:x"))
                .as("open again")
                .isEqualTo(1L);
    }

    /**
     * Another number of members is accepted only if it is declared, and then the server waits for the leases of the old
     * quorum.
     */
    @Test
    void guard_anotherNumberOfMembers_changesNothingUnlessMeant() {
        run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "new", LIFE, "3", "-1", "");
        assertThat(run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "", LIFE, "5", "-1", "")
                        .get(4))
                .isEqualTo(3L);
        assertThat(run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "", LIFE, "3", "-1", "")
                        .get(1))
                .isEqualTo(0L);
        assertThat(run(Name.GUARD, "mark", "id", LONGEST, EXTRA, "new", LIFE, "5", "-1", ""))
                .satisfies(answer -> assertThat(answer.get(4)).isEqualTo(5L))
                .satisfies(answer -> assertThat((Long) answer.get(1)).isGreaterThan((Long) answer.get(0)));
    }

    @Test
    void attempt_freeBehindManyDeadPlaces_isFoundInTheEnd() {
        evaluate(Name.LOCK_ATTEMPT, "lock", "c:0:x", NEVER, "30000", "1", "40001", "-");
        StringBuilder line = new StringBuilder("redis.call('HSET', KEYS[1], 'line', '0 1200') ");
        line.append(
                "for i = 1, 1200 do redis.call('HSET', KEYS[1], 'q' .. i, 'c:' .. i .. ':x 1 3000 1 1 -', '@c:' .. i"
                        + " .. ':x', i) end");
        server.command("EVAL", line.toString(), "1", "lock");
        server.command("HSET", "lock", "hold", server.command("HGET", "lock", "hold") + " +");
        assertThat(evaluate(Name.LOCK_RELEASE, "lock", "c:0:x", "0"))
                .as("released, more to do")
                .isEqualTo(3L);

        assertThat(run(Name.LOCK_ATTEMPT, "lock", "d:1:x", NEVER, "30000", "1", "40001", "")
                        .get(0))
                .isEqualTo(-3L);
        assertThat(run(Name.LOCK_ATTEMPT, "lock", "d:1:x", NEVER, "30000", "1", "40001", "")
                        .get(0))
                .isEqualTo(1L);
        assertThat(server.command("HLEN", "lock")).as("nothing is left of them").isEqualTo(2L);
    }

    /** A request may serve others first: none of them below the known floor. */
    @Test
    void attempt_floorAndAnotherIsServed_tokenIsAboveTheFloor() {
        assertThat(run(Name.LOCK_ATTEMPT, "free", "c:1:x", NEVER, "30000", "1", "40001", "", FLOOR, "1")
                        .get(3))
                .isEqualTo(Long.parseLong(FLOOR) + 1);

        server.command("HSET", "lock", "hold", "7 +", "line", "0 1", "q1", "c:2:x " + FLOOR + " 3000 1 1 -");
        run(Name.LOCK_ATTEMPT, "lock", "c:3:x", NEVER, "30000", "1", "40001", "", FLOOR, "1");
        assertThat(server.command("HGET", "lock", "hold").toString())
                .isEqualTo(Long.parseLong(FLOOR) + 1 + " 3000 c:2:x");
    }

    @Test
    void attemptForAShare_floorAndAnotherIsServed_tokenIsAboveTheFloor() {
        run(Name.SHARE_ATTEMPT, "shares", "c:1:x", NEVER, "30000", "1", "-", "1", "2", "0");
        run(Name.SHARE_ATTEMPT, "shares", "c:2:x", NEVER, "30000", "1", "-", "2", "2", "0");
        server.command("HSET", "shares", "q1", "c:2:x " + FLOOR + " 3000 1 1 -"); // it fits now
        run(Name.SHARE_ATTEMPT, "shares", "c:1:x", NEVER, "30000", "1", "-", "1", "2", "0", FLOOR);
        assertThat(firstToken("c:2:x")).isGreaterThan(Long.parseLong(FLOOR));

        run(Name.SHARE_ATTEMPT, "shares", "c:3:x", NEVER, "30000", "1", "-", "1", "2", "0");
        server.command("HDEL", "shares", "=c:1:x");
        String higher = "4503599627380496";
        run(Name.SHARE_ATTEMPT, "shares", "c:4:x", NEVER, "30000", "1", "-", "1", "9", "0", higher); // another capacity
        assertThat(firstToken("c:3:x")).isGreaterThan(Long.parseLong(higher));
    }

    private long firstToken(String claim) {
        return Long.parseLong(
                server.command("HGET", "shares", "=" + claim).toString().split(" ", -1)[2]);
    }

    private List<?> run(Name script, String key, String... arguments) {
        return (List<?>) evaluate(script, key, arguments);
    }

    private Object evaluate(Name script, String key, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("EVAL", new String(scripts.text(script), StandardCharsets.UTF_8), "1", key));
        command.addAll(List.of(arguments));
        return server.command(command.toArray(String[]::new));
    }
}
