package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.redis.driver.RedisCredentials;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.redis.TestCertificates;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Addresses, users and certificates that are not in a URL, and that may change. */
@Tag("integration")
@Timeout(60)
class LoginTest {
    private static RedisServer server;

    @RegisterExtension
    final Bench bench = new Bench();

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private RedisLocksBuilder builder() {
        return RedisLocks.builder().address(server.host(), server.port()).prefix(bench.prefix());
    }

    private static void user(String name, String password) {
        server.command("ACL", "SETUSER", name, "reset", "on", ">" + password, "~*", "allchannels", "+@all");
    }

    private static String clients() {
        return String.valueOf(server.command("CLIENT", "LIST"));
    }

    @Test
    void login_insteadOfAUrl_isUsedForEveryConnection() {
        user("app", "p@ss:w/rd");
        LockClient client =
                bench.client(builder().login("app", "p@ss:w/rd").database(2).clientName("by-address"));
        client.lock("a").acquire().close();
        Bench.soon("one that asks and one that listens")
                .until(() -> clients()
                                .lines()
                                .filter(line -> line.contains(" name=by-address ") && line.contains(" user=app "))
                                .filter(line -> line.contains(" db=2 "))
                                .count()
                        == 2);
    }

    @Test
    void connect_negotiatesNothing() {
        server.command("CONFIG", "RESETSTAT");
        bench.client(builder()).lock("a").acquire().close();
        assertThat(String.valueOf(server.command("INFO", "commandstats")))
                .contains("cmdstat_evalsha")
                .doesNotContain("cmdstat_hello");
    }

    @Test
    void login_wrongPassword_isUnfitAndNotPrinted() {
        user("app", "right");
        assertThatThrownBy(() -> bench.client(builder().login("app", "wr0ng").mayBeDown()))
                .isInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageContaining("password")
                .satisfies(failure -> assertThat(stackTrace(failure)).doesNotContain("wr0ng"));
    }

    private static String stackTrace(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    @Test
    void credentials_rotated_newConnectionsUseTheNewOnes() {
        AtomicReference<RedisCredentials> current = new AtomicReference<>(new RedisCredentials("app", "monday"));
        AtomicInteger asked = new AtomicInteger();
        user("app", "monday");
        LockClient client = bench.client(builder().credentials(() -> {
            asked.incrementAndGet();
            return current.get();
        }));
        client.lock("a").acquire().close();
        int before = asked.get();
        assertThat(before).isPositive();
        current.set(new RedisCredentials("app", "tuesday"));
        user("app", "tuesday");
        server.command("CLIENT", "KILL", "USER", "app", "SKIPME", "no");
        Bench.take(client, "a").close();
        assertThat(asked.get()).isGreaterThan(before);
    }

    @Test
    void credentials_thatCannotBeHad_areNoServerThatIsUnfit() {
        RedisLocksBuilder builder = builder().credentials(() -> {
            throw new IllegalStateException("the vault says: s3cret");
        });
        assertThatThrownBy(() -> bench.client(builder))
                .isInstanceOf(LockStoreException.class)
                .isNotInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("the supplier of the credentials threw java.lang.IllegalStateException")
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("s3cret"));
        AtomicReference<RedisCredentials> late = new AtomicReference<>();
        LockClient client = bench.client(builder().credentials(late::get).mayBeDown());
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("the supplier of the credentials returned null");
        user("app", "s3cret");
        late.set(new RedisCredentials("app", "s3cret"));
        Bench.take(client, "a").close();
    }

    @Test
    void sentinelLogin_isForTheSentinelsOnly() {
        RedisSentinels sentinels = bench.open(RedisSentinels.start(RedisVersion.V7_0));
        RedisLocksBuilder builder = RedisLocks.builder().sentinels(sentinels.masterName());
        sentinels.sentinels().forEach(each -> {
            each.command("ACL", "SETUSER", "default", "resetpass", ">sent1nel");
            builder.address(each.host(), each.port());
        });
        builder.prefix(bench.prefix()).startEmpty();
        assertThatThrownBy(builder::connect)
                .isInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("NOAUTH")
                .hasMessageContaining("sentinelLogin");
        Bench.take(bench.client(builder.sentinelLogin(null, "sent1nel")), "a").close();
    }

    @Test
    void tlsContext_isAskedForEachConnection() {
        TestCertificates first = bench.open(TestCertificates.create());
        TestCertificates second = bench.open(TestCertificates.create());
        AtomicReference<SSLContext> trust = new AtomicReference<>(first.clientContext());
        FaultProxy before = bench.open(FaultProxy.tls(first.serverContext(), server));
        SSLParameters modern = new SSLParameters(null, new String[] {"TLSv1.3"});
        LockClient client = bench.client(RedisLocks.builder()
                .address("127.0.0.1", before.port())
                .prefix(bench.prefix())
                .tlsContext(trust::get)
                .tlsParameters(modern));
        client.lock("a").acquire().close();
        trust.set(second.clientContext());
        before.reset();
        Bench.soon("an answer that says why")
                .untilAsserted(() -> assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOf(LockStoreUnfitException.class)
                        .hasMessageContaining("signed by an authority that this Java does not know"));
        trust.set(first.clientContext());
        Bench.take(client, "a").close();
    }

    @Test
    void mayBeDown_certificateThatIsNotTrusted_isUnfit() {
        TestCertificates own = bench.open(TestCertificates.create());
        FaultProxy proxy = bench.open(FaultProxy.tls(own.serverContext(), server));
        assertThatThrownBy(() -> bench.client(bench.builder(proxy.uri()).mayBeDown()))
                .isInstanceOf(LockStoreUnfitException.class);
        assertThatThrownBy(() -> bench.client(bench.builder("redis://127.0.0.1:" + proxy.port())
                        .requestTimeout(Duration.ofMillis(500))
                        .connectTimeout(Duration.ofMillis(500))))
                .isInstanceOf(LockStoreException.class);
    }
}
