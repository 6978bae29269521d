package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.redis.protocol.ServerInfo;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Another user of the same server, who may touch other keys only. Before 7.0 every user may publish on every channel
 * unless told otherwise, and everything in a message but the claim's secret can be found out or guessed: the client
 * from its channel, the claim by counting, the server from INFO.
 */
@Tag("integration")
@Timeout(60)
class ForgedMessageTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private RedisConsole stranger;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V6_2));
        server.command("ACL", "SETUSER", "stranger", "on", ">word", "~other:*", "+@all");
        stranger = bench.open(server.console());
        stranger.command("AUTH", "stranger", "word");
    }

    /** Rule: only a user who may read the record can tell a waiter that it was served. */
    @Test
    void grant_byWhoMayNotReadTheLocks_isNotBelieved() {
        RawLocks holder = bench.raw(server.uri());
        RawLocks waiter = bench.raw(server.uri());
        Claim held = holder.claim("a", 20_000, false);
        long token = holder.grant(held);
        Claim waiting = waiter.claim("a", 20_000, true);
        waiter.queue(waiting);
        String node = new ServerInfo(stranger.command("INFO").toString()).incarnation();
        List<?> time = (List<?>) stranger.command("TIME");
        String now =
                time.get(0) + String.format("%06d", Integer.parseInt(time.get(1).toString()));
        String grant = waiter.id() + ":1:raw " + now + " " + now + " 3000 " + node;
        for (String forged : List.of(grant, grant + " ", grant + " 000000000000")) {
            assertThat(stranger.command("PUBLISH", channel(waiter.id()), forged))
                    .isEqualTo(1L);
        }
        holder.release(held);

        Bench.soon("the true grant").until(() -> !waiter.grants().isEmpty());
        assertThat(waiter.grants())
                .singleElement()
                .satisfies(grantHeard -> assertThat(grantHeard.token())
                        .isEqualTo(bench.topToken(server, "a"))
                        .isGreaterThan(token));
        assertThat(waiter.served()).isEmpty();
    }

    /** Rule: a holder that is told that its lock was taken away asks the store to confirm it. */
    @Test
    void revocation_byWhoMayNotReadTheLocks_isNotBelieved() {
        LockClient client = bench.client(server.uri());
        Lease lease = client.lock("a").acquire();
        List<String> parts = List.of(bench.hold(server, "a").split(" ", -1)[2].split(":", -1));
        server.resetStats();
        stranger.command("PUBLISH", channel(parts.get(0)), parts.get(0) + ":" + parts.get(1) + ": revoked");

        Bench.soon("a look").until(() -> server.commandStats().containsKey("evalsha"));
        Bench.always("still held", Duration.ofMillis(300), lease::isValid);
        lease.close();
    }

    private String channel(String client) {
        return bench.prefix() + ":client:" + client;
    }
}
