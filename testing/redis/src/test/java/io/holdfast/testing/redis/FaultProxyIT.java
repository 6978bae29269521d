package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultProxyIT {
    private static final Duration SILENCE = Duration.ofMillis(150);

    @Parameter
    RedisVersion version;

    private RedisServer server;
    private FaultProxy proxy;
    private RedisConsole client;

    @BeforeEach
    void start() {
        if (server == null) {
            server = RedisServer.start(version);
        }
        server.flushAll();
        proxy = FaultProxy.to(server);
        client = connect();
    }

    @AfterEach
    void stop() {
        client.close();
        await().untilAsserted(() -> assertThat(proxy.held()).isZero());
        proxy.close();
        await().untilAsserted(() -> assertThat(proxy.openConnections()).isZero());
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    private RedisConsole connect() {
        return RedisConsole.connect(proxy.host(), proxy.port());
    }

    private static boolean isIncr(List<String> request) {
        return request.get(0).equals("INCR");
    }

    private void assertSilent(RedisConsole console) {
        assertThat(console.isSilentFor(SILENCE)).isTrue();
    }

    private void awaitCounter(String value) {
        await().untilAsserted(() -> assertThat(server.command("GET", "n")).isEqualTo(value));
    }

    @Test
    void noFault_repliesOfAllKinds_pass() {
        assertThat(client.command("HELLO", "3")).asString().contains("server");
        assertThat(client.command("SET", "k", "vä\r\n")).isEqualTo("OK");
        assertThat(client.command("GET", "k")).isEqualTo("vä\r\n");
        assertThat(client.command("GET", "none")).isNull();
        assertThat(client.command("EVAL", "return {1, {'a', false}, 'b'}", "0"))
                .asString()
                .isEqualTo("[1, [a, null], b]");
        assertThatThrownBy(() -> client.command("INCR", "k")).isInstanceOf(RedisConsoleException.class);
        assertThat(proxy.requests()).isEqualTo(6);
        assertThat(proxy.replies()).isEqualTo(6);
    }

    @Test
    void delay_eachWay_takesThatLongButNotLongerForMany() {
        try (RedisConsole patient = connect()) {
            proxy.delayRequests(Duration.ofMillis(100));
            proxy.delayReplies(Duration.ofMillis(100));
            long begin = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                patient.send("INCR", "n");
            }
            for (int i = 0; i < 10; i++) {
                assertThat(patient.read()).isEqualTo(i + 1L);
            }
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isBetween(200L, 1_000L);
            proxy.heal();
            assertThat(patient.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void dropReplies_oneOfAKind_executedAndDumbUntilHealed() {
        proxy.dropReplies(1, FaultProxyIT::isIncr);
        assertThat(client.command("PING")).isEqualTo("PONG");
        client.send("INCR", "n");
        assertSilent(client);
        awaitCounter("1");
        client.send("PING");
        assertSilent(client);
        try (RedisConsole other = connect()) {
            assertThat(other.command("INCR", "n")).isEqualTo(2L);
            proxy.heal();
            assertThat(other.command("PING")).isEqualTo("PONG");
        }
        assertThatThrownBy(client::read).hasRootCauseInstanceOf(SocketException.class);
        assertThat(proxy.swallowedReplies()).isEqualTo(2);
    }

    @Test
    void closeInsteadOfReply_oneOfAKind_executedAndClosed() {
        proxy.closeInsteadOfReply(1, FaultProxyIT::isIncr);
        assertThatThrownBy(() -> client.command("INCR", "n")).isInstanceOf(RedisUnreachableException.class);
        awaitCounter("1");
        try (RedisConsole again = connect()) {
            assertThat(again.command("INCR", "n")).isEqualTo(2L);
        }
    }

    @Test
    void cutReplies_request_isExecuted() {
        proxy.cutReplies();
        client.send("INCR", "n");
        assertSilent(client);
        awaitCounter("1");
    }

    @Test
    void cutRequests_request_isNotExecutedEvenWhenHealed() {
        proxy.cutRequests();
        client.send("INCR", "n");
        assertSilent(client);
        assertThat(proxy.swallowedRequests()).isEqualTo(1);
        proxy.heal();
        assertThatThrownBy(client::read).isInstanceOf(RedisUnreachableException.class);
        assertThat(server.command("GET", "n")).isNull();
    }

    @Test
    void halfOpen_oldAndNewConnections_areSilent() {
        try (RedisConsole idle = connect()) {
            assertThat(client.command("PING")).isEqualTo("PONG");
            assertThat(idle.command("PING")).isEqualTo("PONG");
            proxy.halfOpen();
            client.send("INCR", "n");
            assertSilent(client);
            try (RedisConsole late = connect()) {
                late.send("INCR", "n");
                assertSilent(late);
                proxy.heal();
                assertThatThrownBy(late::read).isInstanceOf(RedisUnreachableException.class);
            }
            assertThatThrownBy(client::read).isInstanceOf(RedisUnreachableException.class);
            assertThat(idle.command("PING")).isEqualTo("PONG");
            assertThat(server.command("GET", "n")).isNull();
        }
    }

    @Test
    void refuseAndReset_connections_end() {
        client.command("PING");
        proxy.refuse();
        try (RedisConsole late = connect()) {
            assertThatThrownBy(() -> late.command("PING")).isInstanceOf(RedisUnreachableException.class);
        }
        assertThat(client.command("PING")).isEqualTo("PONG");
        proxy.reset();
        assertThatThrownBy(client::read)
                .hasRootCauseInstanceOf(SocketException.class)
                .hasRootCauseMessage("Connection reset");
        proxy.heal();
        try (RedisConsole again = connect()) {
            assertThat(again.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void holdRequests_clientGone_executedWhenReleased() {
        proxy.holdRequests(FaultProxyIT::isIncr);
        client.send("INCR", "n");
        assertSilent(client);
        await().untilAsserted(() -> assertThat(proxy.held()).isEqualTo(1));
        try (RedisConsole other = connect()) {
            assertThat(other.command("GET", "n")).isNull();
        }
        client.close();
        proxy.releaseHeld();
        awaitCounter("1");
    }

    @Test
    void duplicateRequests_replayed_areExecutedTwice() throws Exception {
        proxy.duplicateRequests(FaultProxyIT::isIncr);
        assertThat(client.command("INCR", "n")).isEqualTo(1L);
        client.command("PING");
        assertThat(proxy.captured()).isEqualTo(1);
        assertThat(proxy.replayCaptured(Duration.ofMillis(20)).get(5, TimeUnit.SECONDS))
                .isEqualTo(List.of(2L));
        assertThat(proxy.captured()).isZero();
    }

    @Test
    void subscription_messages_areNotTakenForReplies() {
        try (RedisConsole subscriber = connect()) {
            subscriber.command("SUBSCRIBE", "c");
            proxy.dropReplies(1, FaultProxyIT::isIncr);
            server.command("PUBLISH", "c", "hello");
            assertThat(subscriber.read()).isEqualTo(List.of("message", "c", "hello"));
            client.send("INCR", "n");
            assertSilent(client);
        }
    }
}
