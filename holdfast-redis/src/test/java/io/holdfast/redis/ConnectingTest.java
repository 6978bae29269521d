package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.redis.TestCertificates;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All ways to connect: TLS, users, databases and names. */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class ConnectingTest extends OnEachVersion {
    /** Holds, waits and is told: uses lent connections and the subscription. */
    private void handsOver(LockClient holder, LockClient waiter) {
        Lease lease = holder.lock("a").acquire();
        CompletableFuture<Lease> next = waiter.lock("a").acquireAsync();
        Bench.soon("somebody who listens").until(() -> waiting() == 1);
        lease.close();
        Bench.get(next, Bench.AT_ONCE).close();
    }

    private long waiting() {
        String script =
                "local n = 0 for _, v in ipairs(redis.call('HVALS', KEYS[1])) do if string.match(v, ' p %x+$') then n = n + 1"
                        + " end end return n";
        return (long) server.command("EVAL", script, "1", bench.key("a"));
    }

    @Test
    void connect_tls_holdsAndHandsOver() {
        TestCertificates certificates = bench.open(TestCertificates.create());
        FaultProxy proxy = bench.open(FaultProxy.tls(certificates.serverContext(), server));
        assertThat(proxy.uri()).startsWith("rediss://");
        RedisLocksBuilder builder = bench.builder(proxy.uri()).tlsContext(certificates::clientContext);
        handsOver(bench.client(builder), bench.client(builder));
        proxy.reset();
        Bench.take(bench.client(builder), "b").close();
    }

    @Test
    void connect_tlsNotTrusted_refusedWithTheAddress() {
        TestCertificates certificates = bench.open(TestCertificates.create());
        FaultProxy proxy = bench.open(FaultProxy.tls(certificates.serverContext(), server));
        assertThatThrownBy(() -> bench.client(proxy.uri()))
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("could not connect: Redis at 127.0.0.1:" + proxy.port() + ": ")
                .hasMessageContaining("certification path")
                .hasMessageContaining("signed by an authority that this Java does not know");
    }

    @Test
    void connect_plainToTlsAndTlsToPlain_refused() {
        TestCertificates certificates = bench.open(TestCertificates.create());
        FaultProxy proxy = bench.open(FaultProxy.tls(certificates.serverContext(), server));
        assertThatThrownBy(() -> bench.client(hasty("redis://127.0.0.1:" + proxy.port())))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("127.0.0.1:" + proxy.port())
                .hasMessageContaining("use rediss:// instead of redis://");
        assertThatThrownBy(() -> bench.client(hasty("rediss://127.0.0.1:" + server.port())))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("127.0.0.1:" + server.port())
                .hasMessageContaining("use redis:// instead of rediss://");
    }

    @Test
    void connect_databaseThatTheServerHasNot_saysHowManyItMayHave() {
        assertThatThrownBy(() -> bench.client(server.uri() + "/99"))
                .isInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("fewer databases than the number at the end of the URL")
                .hasMessageContaining("0 to 15");
    }

    private RedisLocksBuilder hasty(String url) {
        return bench.builder(url).requestTimeout(Duration.ofMillis(300)).connectTimeout(Duration.ofMillis(300));
    }

    @Test
    void connect_userWithFewRights_holdsAndHandsOver() {
        server.command(
                "ACL",
                "SETUSER",
                "few",
                "reset",
                "on",
                ">p@ss/w:rd",
                "resetchannels",
                "~" + bench.prefix() + ":*",
                "&" + bench.prefix() + ":*",
                "+@all",
                "-@dangerous",
                "+info");
        String url = "redis://few:p%40ss%2Fw:rd@127.0.0.1:" + server.port();
        handsOver(bench.client(url), bench.client(url));
    }

    @Test
    void connect_database_keysAreThereAndNotElsewhere() {
        LockClient third = bench.client(server.uri() + "/3");
        LockClient first = bench.client(server.uri());
        try (Lease lease = third.lock("d").acquire();
                Lease other = first.lock("d").tryAcquire().orElseThrow();
                RedisConsole console = server.console()) {
            assertThat(console.command("SELECT", "3")).isEqualTo("OK");
            assertThat((String) console.command("HGET", bench.key("d"), "hold")).contains(third.id());
            assertThat(bench.hold(server, "d")).contains(first.id());
            assertThat(lease.isValid()).isTrue();
            assertThat(other.isValid()).isTrue();
        }
        String url = "redis://127.0.0.1:" + server.port() + "/99";
        assertThatThrownBy(() -> bench.client(url))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("DB index is out of range");
    }

    @Test
    void connect_clientName_isShownForEveryConnection() {
        LockClient client = bench.client(bench.builder(server.uri()).clientName("billing-7"));
        LockClient other = bench.client(server.uri());
        handsOver(other, client);
        String clients = String.valueOf(server.command("CLIENT", "LIST"));
        assertThat(clients.lines().filter(line -> line.contains(" name=billing-7 ")))
                .as("one that asks and one that listens")
                .hasSizeGreaterThanOrEqualTo(2)
                .anyMatch(line -> line.contains(" sub=1 "))
                .anyMatch(line -> line.contains(" sub=0 "));
        assertThat(server.command("HGET", bench.prefix() + ":client:{" + client.id() + "}", "name"))
                .isEqualTo("billing-7");
    }

    /** A pool without a free connection is an exception that says so, not a busy lock. */
    @Test
    void tryAcquire_poolExhausted_saysSo() {
        LockClient client =
                bench.client(bench.builder(server.uri()).connections(1).requestTimeout(Duration.ofMillis(200)));
        client.lock("a").acquire().close();
        server.pause();
        try {
            CompletableFuture<?> first =
                    CompletableFuture.runAsync(() -> client.lock("a").tryAcquire());
            assertThatThrownBy(() -> client.lock("b").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'b'")
                    .hasMessageContaining("127.0.0.1:" + server.port());
            assertThat(Bench.failure(first)).isNotNull();
        } finally {
            server.resume();
        }
        Bench.take(client, "b").close();
    }
}
