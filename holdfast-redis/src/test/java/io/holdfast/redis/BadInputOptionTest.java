package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Options out of range: named with their value and their bound when the client is opened, before anything is connected.
 */
class BadInputOptionTest {
    private static final String TIMEOUT = ", expected from 1ms to 1m";
    private static final String PREFIX = ", expected 1 to 64 letters, digits, dots, dashes, underscores and colons";
    private static final String NAME = ", expected 1 to 128 printable characters without blanks";

    private static Stream<Arguments> wrong() {
        return Stream.of(
                option("prefix is ''" + PREFIX, b -> b.prefix("")),
                option("prefix is 'a b'" + PREFIX, b -> b.prefix("a b")),
                option("prefix is '{a}'" + PREFIX, b -> b.prefix("{a}")),
                option("prefix is 'a*'" + PREFIX, b -> b.prefix("a*")),
                option("prefix is 'a'b'" + PREFIX, b -> b.prefix("a'b")),
                option("prefix is 'ä'" + PREFIX, b -> b.prefix("ä")),
                option("prefix is 'a\n'" + PREFIX, b -> b.prefix("a\n")),
                option("prefix is '" + "p".repeat(65) + "'" + PREFIX, b -> b.prefix("p".repeat(65))),
                option("clientName is ''" + NAME, b -> b.clientName("")),
                option("clientName is 'a b'" + NAME, b -> b.clientName("a b")),
                option("clientName is 'ä'" + NAME, b -> b.clientName("ä")),
                option("clientName is '" + "n".repeat(129) + "'" + NAME, b -> b.clientName("n".repeat(129))),
                option("requestTimeout is 0s" + TIMEOUT, b -> b.requestTimeout(Duration.ZERO)),
                option("requestTimeout is 0.999999ms" + TIMEOUT, b -> b.requestTimeout(Duration.ofNanos(999_999))),
                option("requestTimeout is -1s" + TIMEOUT, b -> b.requestTimeout(Duration.ofSeconds(-1))),
                option("requestTimeout is 1m 0.001s" + TIMEOUT, b -> b.requestTimeout(Duration.ofMillis(60_001))),
                option(
                        "requestTimeout is 2562047788015215h 30m 7s" + TIMEOUT,
                        b -> b.requestTimeout(Duration.ofSeconds(Long.MAX_VALUE))),
                option("connectTimeout is 0s" + TIMEOUT, b -> b.connectTimeout(Duration.ZERO)),
                option("connectTimeout is 1h" + TIMEOUT, b -> b.connectTimeout(Duration.ofHours(1))),
                option("timeout of replicas is 0s" + TIMEOUT, b -> b.replicas(1, Duration.ZERO)),
                option("timeout of replicas is 24h" + TIMEOUT, b -> b.replicas(1, Duration.ofDays(1))),
                option("replicas is 0, expected at least 1; leave it out for none", b -> b.replicas(0, second())),
                option("replicas is -1, expected at least 1; leave it out for none", b -> b.replicas(-1, second())),
                option("connections is 0, expected at least 1", b -> b.connections(0)),
                option("connections is -5, expected at least 1", b -> b.connections(-5)),
                option("longestLease is 0s, expected from 1ms to 24h", b -> b.longestLease(Duration.ZERO)),
                option("longestLease is -1s, expected from 1ms to 24h", b -> b.longestLease(Duration.ofSeconds(-1))),
                option(
                        "longestLease is 2562047788015215h 30m 7s, expected from 1ms to 24h",
                        b -> b.longestLease(Duration.ofSeconds(Long.MAX_VALUE))),
                option("port is 0, expected from 1 to 65535", b -> b.address("b", 0)),
                option("port is 65536, expected from 1 to 65535", b -> b.address("b", 65_536)),
                option(
                        "host is '[::1]', expected a host name or an address without brackets",
                        b -> b.address("[::1]", 1)),
                option(
                        "host is 'u:p@b', expected a host name or an address without brackets",
                        b -> b.address("u:p@b", 1)),
                option(
                        "address() named 2 servers: [127.0.0.1:1, [::1]:2]; expected one, or cluster() or"
                                + " sentinels(master) as well",
                        b -> b.address("::1", 2)),
                option("the name of the master is empty; name it with sentinels(master)", b -> b.sentinels(" ")),
                option("database is -1, expected at least 0", b -> b.database(-1)),
                option(
                        "database is 1, expected 0: a cluster has no other",
                        b -> b.cluster().database(1)));
    }

    @Test
    void builder_withoutAddress_saysWhatToCall() {
        assertThatThrownBy(() -> RedisLocks.builder().connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no server was named; call address(host, port), or give a URL");
    }

    private static Duration second() {
        return Duration.ofSeconds(1);
    }

    private static Arguments option(String message, UnaryOperator<RedisLocksBuilder> option) {
        return Arguments.of(message, option);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrong")
    void connect_optionOutOfRange_namesItItsValueAndItsBound(String message, UnaryOperator<RedisLocksBuilder> option) {
        RedisLocksBuilder builder = RedisLocks.builder("redis://127.0.0.1:1");
        assertThatThrownBy(() -> option.apply(builder).connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void builder_null_namesTheParameter() {
        RedisLocksBuilder builder = RedisLocks.builder("redis://127.0.0.1:1");
        assertThatThrownBy(() -> builder.prefix(null)).hasMessage("prefix");
        assertThatThrownBy(() -> builder.clientName(null)).hasMessage("name");
        assertThatThrownBy(() -> builder.requestTimeout(null)).hasMessage("timeout");
        assertThatThrownBy(() -> builder.connectTimeout(null)).hasMessage("timeout");
        assertThatThrownBy(() -> builder.safety(null)).hasMessage("safety");
        assertThatThrownBy(() -> builder.longestLease(null)).hasMessage("lease");
        assertThatThrownBy(() -> builder.replicas(1, null)).hasMessage("timeout");
        assertThatThrownBy(() -> builder.defaults(null)).hasMessage("defaults");
        assertThatThrownBy(() -> builder.tls(null)).hasMessage("factory");
        assertThatThrownBy(() -> builder.driver(null)).hasMessage("driver");
        assertThatThrownBy(() -> builder.address(null, 1)).hasMessage("host");
        assertThatThrownBy(() -> builder.sentinels(null)).hasMessage("master");
        assertThatThrownBy(() -> builder.login("a", null)).hasMessage("password");
        assertThatThrownBy(() -> builder.sentinelLogin("a", null)).hasMessage("password");
        assertThatThrownBy(() -> builder.credentials(null)).hasMessage("credentials");
        assertThatThrownBy(() -> builder.tlsContext(null)).hasMessage("context");
        assertThatThrownBy(() -> builder.tlsParameters(null)).hasMessage("parameters");
    }
}
