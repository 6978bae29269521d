package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.driver.RedisSubscription;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guarantees of the port, on the client library that is there. */
@Tag("integration")
class DriverTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private RedisServer server;
    private FaultProxy proxy;
    private RedisDriver driver;
    private RedisAddress address;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V7_0);
        proxy = FaultProxy.to(server);
        driver = Drivers.create(access(null, SECOND));
        address = new RedisAddress(proxy.host(), proxy.port());
    }

    private static RedisAccess access(String clientName, Duration connectTimeout) {
        return new RedisAccess(null, 0, clientName, connectTimeout, false, new RedisAccess.Tls(null, null, null), null);
    }

    @AfterEach
    void stop() {
        driver.close();
        proxy.close();
        server.close();
    }

    @Test
    void call_answerCameTooLate_isNotTheNextOnesAnswer() {
        proxy.delayReplies(Duration.ofMillis(300));
        try (RedisConnection connection = driver.open(address, SECOND)) {
            RedisLinkException late = catchThrowableOfType(
                    RedisLinkException.class,
                    () -> connection.call(Duration.ofMillis(50), bytes("ECHO"), bytes("first")));
            assertThat(late.isTimeout()).isTrue();
            assertThat(connection.isUsable()).as("with a reply on its way").isFalse();
        }
        proxy.delayReplies(Duration.ZERO);

        try (RedisConnection connection = driver.open(address, SECOND)) {
            assertThat(connection.isUsable()).isTrue();
            assertThat(connection.call(SECOND, bytes("ECHO"), bytes("second"))).isEqualTo(bytes("second"));
        }
        assertThat(proxy.accepted()).isEqualTo(2);
    }

    /** A caller that gives up before it reads its reply would leave it to the next one. */
    @Test
    void send_replyNotReceived_connectionIsOfNoUse() {
        try (RedisConnection connection = driver.open(address, SECOND)) {
            connection.send(List.<byte[][]>of(word("PING"), word("PING")));
            assertThat(connection.receive(SECOND)).isEqualTo(bytes("PONG"));
            assertThat(connection.isUsable()).isFalse();
            assertThat(connection.receive(SECOND)).isEqualTo(bytes("PONG"));
            assertThat(connection.isUsable()).isTrue();
        }
    }

    @Test
    void call_errorReply_keepsTheConnection() {
        try (RedisConnection connection = driver.open(address, SECOND)) {
            for (int i = 0; i < 3; i++) {
                RedisReplyException error = catchThrowableOfType(
                        RedisReplyException.class, () -> connection.call(SECOND, bytes("NONSENSE")));
                assertThat(error.reply()).contains("unknown command");
                assertThat(error.address()).isEqualTo(address);
                assertThat(connection.pipeline(SECOND, List.of(word("PING"), word("NONSENSE"), word("PING"))))
                        .satisfiesExactly(
                                pong -> assertThat(pong).isEqualTo(bytes("PONG")),
                                refused -> assertThat(refused).isInstanceOf(RedisReplyException.class),
                                pong -> assertThat(pong).isEqualTo(bytes("PONG")));
                assertThat(connection.isUsable()).isTrue();
            }
        }
        assertThat(proxy.accepted()).isOne();
    }

    /** Jedis would reconnect it, without its login and with nobody to close it. */
    @Test
    void subscription_closedBeforeItListens_doesNotComeBack() {
        RedisSubscription subscription = driver.subscription(address, "channel", false);
        subscription.close();

        assertThat(catchThrowableOfType(RedisLinkException.class, () -> subscription.listen(new NoEar())))
                .hasMessageContaining("closed");
        assertThat(proxy.accepted()).isOne();
    }

    /** A listener that must not be called. */
    private static final class NoEar implements RedisSubscription.Listener {
        @Override
        public void subscribed() {
            throw new AssertionError("a closed subscription came back");
        }

        @Override
        public void message(byte[] message) {
            throw new AssertionError("heard " + new String(message, StandardCharsets.UTF_8));
        }

        @Override
        public void pong() {
            throw new AssertionError("a closed subscription was answered");
        }
    }

    @Test
    void open_nobodyListens_nothingWasSent() {
        RedisAddress nowhere = new RedisAddress(server.host(), server.port());
        server.close();
        RedisLinkException refused = catchThrowableOfType(RedisLinkException.class, () -> driver.open(nowhere, SECOND));
        assertThat(refused.isUnsent()).isTrue();
        assertThat(refused.isLocal()).isFalse();
        assertThat(refused.isTimeout()).isFalse();
    }

    /** A paused server accepts connections and does not answer: the caller's time counts, not the connection's. */
    @Test
    void open_noAnswer_takesAsLongAsTheCallerHasTime() {
        driver = Drivers.create(access("someone", Duration.ofMinutes(1)));
        server.pause();
        try {
            RedisLinkException late =
                    catchThrowableOfType(RedisLinkException.class, () -> driver.open(address, Duration.ofMillis(200)));
            assertThat(late.isTimeout()).isTrue();
            assertThat(late.isUnsent()).isTrue();
        } finally {
            server.resume();
        }
    }

    @Test
    void open_closedDriver_isRefused() {
        driver.close();
        RedisLinkException closed = catchThrowableOfType(RedisLinkException.class, () -> driver.open(address, SECOND));
        assertThat(closed.isLocal()).isTrue();
        assertThat(closed.isUnsent()).isTrue();
    }

    private static byte[][] word(String word) {
        return new byte[][] {bytes(word)};
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
