package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unusable servers: reported when the client is opened, with a remedy and never with the password. */
@Tag("integration")
@Timeout(30)
class BadInputServerTest {
    /** What a server with TLS says to somebody who speaks without. */
    private static final String ALERT = "\u0015\u0003\u0003\u0000\u0002\u0002F";

    private static final String LOGIN =
            "put the right user and password into the URL (redis://user:password@host), or into"
                    + " login(); those of a Sentinel are set with sentinelLogin()";

    @RegisterExtension
    final Bench bench = new Bench();

    private static RedisLocksBuilder hasty(RedisLocksBuilder builder) {
        return builder.requestTimeout(Duration.ofMillis(300)).connectTimeout(Duration.ofMillis(300));
    }

    /** The message of a client that cannot be opened. */
    private String refusal(RedisLocksBuilder builder) {
        try {
            bench.open(builder.connect());
        } catch (LockStoreException refused) {
            assertThat(refused).hasMessageStartingWith("could not connect: ").hasMessageNotContaining("s3cret");
            return String.valueOf(refused.getMessage());
        }
        throw new AssertionError("connected");
    }

    private String refusal(String url) {
        return refusal(bench.builder(url));
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void connect_wrongOrMissingPassword_asksForIt(RedisVersion version) {
        RedisServer server = bench.open(
                RedisServer.builder(version).config("requirepass", "s3cret").start());
        String at = server.host() + ":" + server.port();
        String begin = "could not connect: Redis at " + at + " answered \"";
        assertThat(refusal(server.uri())).startsWith(begin + "NOAUTH").endsWith(LOGIN);
        assertThat(refusal("redis://:s3cretive@" + at))
                .startsWith(begin + "WRONGPASS")
                .endsWith(LOGIN);
        assertThat(refusal("redis://nobody:s3cret@" + at))
                .startsWith(begin + "WRONGPASS")
                .endsWith(LOGIN);
        bench.client("redis://default:s3cret@" + at).lock("a").acquire().close();
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void connect_passwordForAServerWithoutOne_saysSo(RedisVersion version) {
        RedisServer server = bench.open(RedisServer.start(version));
        assertThat(refusal("redis://u:s3cret@" + server.host() + ":" + server.port()))
                .endsWith(LOGIN);
    }

    @Test
    void connect_nobodyListens_namesTheAddress() throws Exception {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }
        assertThat(refusal("redis://127.0.0.1:" + port))
                .startsWith("could not connect: Redis at 127.0.0.1:" + port + ": ")
                .endsWith("check host and port, and that the server runs and can be reached");
    }

    @Test
    void connect_unknownHost_namesIt() {
        assertThat(refusal("redis://no-such-host.invalid"))
                .contains("no-such-host.invalid:6379")
                .endsWith("check host and port, and that the server runs and can be reached");
    }

    /** Another program listens: it speaks another protocol, does not answer, or hangs up. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "", "hang up", ALERT})
    void connect_noRedis_namesTheAddressWithinItsTime(String answer) {
        Stranger stranger = bench.open(new Stranger(answer));
        long begin = System.nanoTime();
        assertThat(refusal(hasty(bench.builder("redis://u:s3cret@127.0.0.1:" + stranger.port()))))
                .startsWith("could not connect: Redis at 127.0.0.1:" + stranger.port())
                .endsWith(
                        answer.endsWith("\r\n")
                                ? "what answers there is no Redis, or wants TLS (rediss://)"
                                : answer.equals("hang up")
                                        ? "use rediss:// instead of redis://, else see the server's log"
                                        : answer.equals(ALERT)
                                                ? "speaks TLS; use rediss:// instead of redis://, or the server's port without TLS"
                                                : "if that port is for TLS, use rediss:// instead of redis://");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void connect_replica_pointsToTheMaster() {
        RedisServer master = bench.open(RedisServer.start(RedisVersion.V7_0));
        RedisServer replica = bench.open(
                RedisServer.builder(RedisVersion.V7_0).replicaOf(master).start());
        assertThat(refusal(replica.uri()))
                .isEqualTo("could not connect: Redis at 127.0.0.1:" + replica.port()
                        + " is a replica of 127.0.0.1:" + master.port()
                        + "; connect to the master, or through redis-sentinel:// which follows it");
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void connect_sentinel_pointsToItsUrl(RedisVersion version) {
        RedisServer master = bench.open(RedisServer.start(version));
        RedisServer sentinel = bench.open(RedisServer.builder(version)
                .sentinel()
                .config("sentinel", "monitor", "mine", master.host(), String.valueOf(master.port()), "1")
                .start());
        String at = "127.0.0.1:" + sentinel.port();
        assertThat(refusal("redis://" + at))
                .isEqualTo("could not connect: Redis at " + at
                        + " is a Sentinel; connect with redis-sentinel://…/<master name> instead");
        assertThat(refusal("redis-sentinel://" + at + "/other"))
                .isEqualTo("could not connect: the Sentinel at " + at
                        + " knows no master 'other'; check the name in redis-sentinel://…/<master name>");
        bench.client(bench.builder("redis-sentinel://" + at + "/mine").safety(Safety.AVAILABLE))
                .lock("a")
                .acquire()
                .close();
    }

    @Test
    void connect_clusterUrlForAPlainServer_pointsToTheOtherUrl() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        assertThat(refusal("redis-cluster://127.0.0.1:" + server.port()))
                .isEqualTo("could not connect: Redis at 127.0.0.1:" + server.port()
                        + " is not a cluster; connect with redis:// instead of redis-cluster://");
    }

    @Test
    void connect_plainUrlForAClusterNode_pointsToTheOtherUrl() {
        RedisServer node = bench.open(
                RedisServer.builder(RedisVersion.V7_0).clusterEnabled().start());
        assertThat(refusal(node.uri()))
                .isEqualTo("could not connect: Redis at 127.0.0.1:" + node.port()
                        + " belongs to a cluster; connect with redis-cluster:// instead");
    }

    @Test
    void connect_clusterWithoutSlots_saysSo() {
        RedisServer lonely = bench.open(
                RedisServer.builder(RedisVersion.V7_0).clusterEnabled().start());
        assertThat(refusal("redis-cluster://127.0.0.1:" + lonely.port()))
                .isEqualTo("could not connect: Redis at 127.0.0.1:" + lonely.port()
                        + " has no slots yet; finish the cluster's set-up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-lru", "volatile-ttl", "allkeys-random"})
    void connect_evictionPolicy_refusedUnlessAccepted(String policy) {
        RedisServer server = bench.open(RedisServer.builder(RedisVersion.V7_0)
                .config("maxmemory-policy", policy)
                .start());
        assertThat(refusal(server.uri()))
                .isEqualTo("could not connect: Redis at 127.0.0.1:" + server.port() + " has maxmemory-policy " + policy
                        + ", so it may drop a lock that is held; CONFIG SET maxmemory-policy noeviction, or allow it with"
                        + " acceptEviction()");
        bench.client(bench.builder(server.uri()).acceptEviction())
                .lock("a")
                .acquire()
                .close();
    }

    @Test
    void connect_strictOnRedis6_saysWhy() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V6_2));
        assertThat(refusal(bench.builder(server.uri()).safety(Safety.STRICT)))
                .startsWith("could not connect: Redis at 127.0.0.1:" + server.port() + " is Redis 6.2.")
                .endsWith(
                        ", which keeps scripts over a restart, so Safety.STRICT cannot work; use Redis 7.0 or later, or"
                                + " Safety.AVAILABLE");
    }

    @Test
    void connect_otherLongestLease_refusedAndLongerFixedLeasesToo() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        RedisLocksBuilder strict =
                bench.builder(server.uri()).safety(Safety.STRICT).startEmpty();
        LockClient client = bench.client(strict.longestLease(Duration.ofSeconds(10)));
        assertThat(refusal(bench.builder(server.uri()).safety(Safety.STRICT).longestLease(Duration.ofSeconds(20))))
                .isEqualTo("could not connect: Redis at 127.0.0.1:" + server.port()
                        + " is guarded for leases up to 10s, not 20s; use the same longestLease() in every client");
        LockOptions tooLong = LockOptions.defaults().fixedLease(Duration.ofSeconds(11));
        assertThatThrownBy(() -> client.lock("a", tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a lease of 11s for 'a' is longer than 10s, the longest that this store gives")
                .hasMessageContaining("raise longestLease() in every client");
        try (Lease clipped = client.lock("a", Bench.lease(11_000)).acquire()) {
            assertThat(clipped.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
        }
        client.lock("a", Bench.lease(10_000)).acquire().close();
    }

    /** Staged with a file of many commands, read slowly until the message was seen. */
    @Test
    void connect_loadingServer_saysTryAgain() {
        RedisServer server = bench.open(RedisServer.builder(RedisVersion.V7_0)
                .appendFsync("always")
                .config("key-load-delay", "100")
                .start());
        server.command("EVAL", "for i = 1, 200000 do redis.call('SET', 'k' .. i, 'v') end", "0");
        CompletableFuture<Void> restart = CompletableFuture.runAsync(server::restart);
        String[] said = new String[1];
        Bench.soon("a loading server").until(() -> {
            try (LockClient early = bench.builder(server.uri()).connect()) {
                return restart.isDone();
            } catch (LockStoreException refused) {
                said[0] = refused.getMessage();
                return said[0].contains("LOADING");
            }
        });
        assertThat(said[0])
                .startsWith("could not connect: Redis at 127.0.0.1:" + server.port() + " answered \"LOADING")
                .endsWith("the server still reads its data; try again when it is up");
        server.command("CONFIG", "SET", "key-load-delay", "0");
        Bench.get(restart);
        bench.client(server.uri()).lock("a").acquire().close();
    }

    /** A server that turns read-only under a client. */
    @Test
    void tryAcquire_becameReplica_saysSoAndComesBack() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        RedisServer master = bench.open(RedisServer.start(RedisVersion.V7_0));
        LockClient client = bench.client(server.uri());
        server.command("REPLICAOF", master.host(), String.valueOf(master.port()));
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("could not ask Redis for 'a': Redis at 127.0.0.1:" + server.port())
                .hasMessageEndingWith("this server is a replica now; the master is looked for again");
        Bench.soon("the reason")
                .untilAsserted(() -> assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOf(LockStoreException.class)
                        .hasMessage("could not ask Redis for 'a': Redis at 127.0.0.1:" + server.port()
                                + " is a replica of 127.0.0.1:" + master.port()
                                + "; connect to the master, or through redis-sentinel:// which follows it"));
        server.command("REPLICAOF", "NO", "ONE");
        Bench.take(client, "a").close();
    }

    @Test
    void tryAcquire_tooFewReplicas_saysSo() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        LockClient client = bench.client(server.uri());
        LockClient replicated = bench.client(bench.builder(server.uri()).replicas(1, Duration.ofMillis(100)));
        assertThatThrownBy(() -> replicated.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessage("Redis at 127.0.0.1:" + server.port()
                        + " granted 'a', but fewer than 1 replicas had it after 100ms; it was given back. Bring the replicas"
                        + " up, or ask for fewer with replicas(n, timeout)");
        client.lock("a").tryAcquire().orElseThrow().close();
        server.command("CONFIG", "SET", "min-replicas-to-write", "1");
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("could not ask Redis for 'a': Redis at 127.0.0.1:" + server.port())
                .hasMessageEndingWith("the master has too few replicas to accept writes; bring them up");
    }

    /** A failure during a wait ends it with an exception, not with "the time is up". */
    @Test
    void wait_serverKilled_throws() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        LockClient holder = bench.client(hasty(bench.builder(server.uri())));
        holder.lock("a").acquire();
        LockClient waiter = bench.client(hasty(bench.builder(server.uri())));
        CompletableFuture<Lease> endless = waiter.lock("a").acquireAsync();
        CompletableFuture<?> bounded = waiter.lock("a").tryAcquireAsync(Duration.ofSeconds(20));
        bench.awaitListening(server, "a", 1);
        server.kill();
        for (CompletableFuture<?> each : new CompletableFuture<?>[] {endless, bounded}) {
            assertThat(Bench.failure(each))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'a'")
                    .hasMessageContaining("Redis at 127.0.0.1:" + server.port())
                    .hasMessageEndingWith("Check that the server runs and can be reached");
        }
    }

    @ParameterizedTest
    @CsvSource({"~other:*, ~", "&other:*, &"})
    void connect_keysOrChannelsOfAnotherPrefix_namesTheRule(String right, String sign) {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        String prefix = bench.prefix() + ":*";
        boolean keys = sign.equals("~");
        server.command(
                "ACL",
                "SETUSER",
                "u",
                "on",
                ">s3cret",
                "+@all",
                keys ? right : "~" + prefix,
                keys ? "&" + prefix : right);
        assertThat(refusal("redis://u:s3cret@127.0.0.1:" + server.port()))
                .endsWith("ACL SETUSER <user> " + sign + bench.prefix() + ":*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "time", "evalsha", "publish", "script|load"})
    void connect_commandForbidden_namesTheRule(String command) {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        server.command("ACL", "SETUSER", "u", "on", ">s3cret", "+@all", "-" + command, "~*", "&*");
        assertThat(refusal("redis://u:s3cret@127.0.0.1:" + server.port()))
                .startsWith("could not connect: Redis at 127.0.0.1:" + server.port() + " answered \"NOPERM")
                .endsWith("the user lacks a command: ACL SETUSER <user> +" + command
                        + " (all of them are listed in docs/redis.md)");
    }

    /** The server does not name the command that a script may not use, so the message names all that scripts need. */
    @ParameterizedTest
    @ValueSource(strings = {"hset", "hget", "hdel", "hmget", "pexpire", "pttl", "time"})
    void connect_commandForbiddenInScripts_namesThemAll(String command) {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        server.command("ACL", "SETUSER", "u", "on", ">s3cret", "+@all", "-" + command, "~*", "&*");
        assertThat(refusal("redis://u:s3cret@127.0.0.1:" + server.port()))
                .startsWith("could not connect: Redis at 127.0.0.1:" + server.port() + " answered ")
                .contains("ACL SETUSER <user> ")
                .contains("+" + command);
    }

    /** A listener that is not Redis. */
    private static final class Stranger implements AutoCloseable {
        private final ServerSocket listener;
        private final String answer;

        Stranger(String answer) {
            this.answer = answer;
            try {
                listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
            } catch (IOException unopened) {
                throw new UncheckedIOException(unopened);
            }
            Thread thread = new Thread(this::accept, "stranger");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return listener.getLocalPort();
        }

        private void accept() {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    if (answer.equals("hang up")) {
                        socket.close();
                    } else {
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                    }
                } catch (IOException closed) {
                    // ends the loop
                }
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
