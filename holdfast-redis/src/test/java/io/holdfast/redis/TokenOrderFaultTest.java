package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.AofCopy;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server comes back from an older file, with a clock that was set back: tokens still grow for clients that were open
 * before, also in the line.
 */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(60)
class TokenOrderFaultTest {
    private static final Duration BACK = Duration.ofSeconds(-4);

    @Parameter
    RedisVersion version;

    @RegisterExtension
    final Bench bench = new Bench();

    private final ClockShim clock = new ClockShim();
    private RedisServer server;

    @BeforeEach
    void start() {
        server = bench.open(
                RedisServer.builder(version).appendFsync("always").clock(clock).start());
    }

    /** Rule: the floor is applied before anybody is served, not only where nobody waits. */
    @Test
    void oldFileAndClockSetBack_throughTheLine_tokenGrows() {
        LockClient client = bench.client(server.uri());
        AofCopy old = fileWithADeadWaiter();
        long before = token(client);
        comeBackFrom(old);

        assertThat(Bench.get(client.lock("a").acquireAsync()).token()).isGreaterThan(before);
    }

    /**
     * Rule: the client that hands over may know nothing of earlier tokens; the one that gets the lock does, and asks
     * for a greater token.
     */
    @Test
    void oldFileAndClockSetBack_handedOverByANewClient_isAskedForAGreaterToken() {
        RawLocks waiter = bench.raw(server.uri());
        AofCopy old = fileWithADeadWaiter();
        long before = token(bench.client(server.uri()));
        comeBackFrom(old);
        RawLocks newcomer = bench.raw(server.uri());
        Claim held = newcomer.claim("a", 20_000, false);
        Bench.soon("the old lease has ended").until(() -> newcomer.attempt(held) instanceof AttemptResult.Granted);
        Claim next = waiter.claim("a", 20_000, true);
        waiter.queue(next);
        newcomer.release(held);

        Bench.soon("a word to ask").until(() -> waiter.served().contains(next.id()));
        assertThat(waiter.grants()).as("grants believed").isEmpty();
        assertThat(waiter.grant(next)).isGreaterThan(before);
        assertThat(bench.topToken(server, "a")).isGreaterThan(before);
    }

    /** Rule: a token below what the client knows is not handed out, also when the clock was set after the handshake. */
    @Test
    void oldFileAndClockSetBackLater_firstAttempt_tokenGrows() {
        RawLocks locks = bench.raw(server.uri());
        AofCopy old = server.copyAof();
        Claim first = locks.claim("a", 20_000, false);
        long before = locks.grant(first);
        locks.release(first);
        server.restartFrom(old);
        Bench.soon("a handshake with the new process")
                .ignoreExceptions()
                .until(() -> locks.attempt(locks.claim("other", 1_000, false)) instanceof AttemptResult.Granted);
        clock.step(BACK);

        assertThat(locks.grant(locks.claim("a", 20_000, false))).isGreaterThan(before);
    }

    /** Rule: a client that has never seen the clock ahead knows it from the tokens of a name that was there before. */
    @Test
    void tokensAheadOfTheClockSinceBefore_nameForgotten_tokenGrows() {
        tokensAheadOfTheClock();
        RawLocks newcomer = bench.raw(server.uri());
        Claim first = newcomer.claim("a", 20_000, false);
        long before = newcomer.grant(first);
        newcomer.release(first);
        server.flushAll();

        assertThat(newcomer.grant(newcomer.claim("a", 20_000, false))).isGreaterThan(before);
    }

    /** The same where the lock was handed over by a message. */
    @Test
    void tokensAheadOfTheClockSinceBefore_handedOverAndForgotten_tokenGrows() {
        tokensAheadOfTheClock();
        RawLocks other = bench.raw(server.uri());
        RawLocks newcomer = bench.raw(server.uri());
        Claim held = other.claim("a", 20_000, false);
        other.grant(held);
        Claim next = newcomer.claim("a", 20_000, true);
        newcomer.queue(next);
        other.release(held);
        Bench.soon("a grant by message").until(() -> !newcomer.grants().isEmpty());
        long before = bench.topToken(server, "a");
        server.flushAll();

        assertThat(newcomer.grant(newcomer.claim("a", 20_000, false))).isGreaterThan(before);
    }

    private void tokensAheadOfTheClock() {
        clock.step(BACK.negated());
        LockClient early = bench.client(server.uri());
        token(early);
        early.close();
        clock.step(BACK);
    }

    /** One client holds, another waits, and both die. */
    private AofCopy fileWithADeadWaiter() {
        RawLocks crashed = bench.raw(server.uri());
        crashed.grant(crashed.claim("a", 20_000, false));
        crashed.queue(crashed.claim("a", 200, true));
        String hold = bench.hold(server, "a");
        server.command("HSET", bench.key("a"), "hold", hold.replace(" 20000 ", " 200 ")); // it ends soon from now on
        server.command("PEXPIRE", bench.key("a"), "10200");
        AofCopy copy = server.copyAof();
        crashed.close();
        return copy;
    }

    private void comeBackFrom(AofCopy old) {
        clock.step(BACK);
        server.restartFrom(old);
    }

    private static long token(LockClient client) {
        try (Lease lease = client.lock("a").acquire()) {
            return lease.token();
        }
    }
}
