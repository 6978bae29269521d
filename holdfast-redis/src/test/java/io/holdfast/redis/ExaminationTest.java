package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Finding;
import io.holdfast.Finding.Level;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.engine.LockEngine;
import io.holdfast.redis.protocol.AclRules;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisServerBuilder;
import io.holdfast.testing.redis.RedisVersion;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The findings about a server, healthy or not, all at once. */
@Tag("integration")
class ExaminationTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer start(RedisServerBuilder builder) {
        return bench.open(builder.start());
    }

    private static RedisServerBuilder redis7() {
        return RedisServer.builder(RedisVersion.V7_0);
    }

    private static Finding find(List<Finding> findings, String check) {
        return findings.stream()
                .filter(each -> each.check().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + check + " in " + findings));
    }

    private static Level level(List<Finding> findings, String check) {
        Finding found = find(findings, check);
        assertThat(found.remedy().isEmpty()).as("a remedy for %s", found).isEqualTo(found.level() == Level.OK);
        return found.level();
    }

    @Test
    void examine_soundServer_hasNothingToComplainOf() {
        RedisServer server = start(redis7().appendOnly());

        List<Finding> findings = RedisLocks.builder(server.uri()).examine();

        assertThat(findings).isNotEmpty().allSatisfy(each -> {
            assertThat(each.level()).as("%s", each).isEqualTo(Level.OK);
            assertThat(each.server()).isEqualTo(server.host() + ":" + server.port());
        });
        assertThat(findings)
                .extracting(Finding::check)
                .contains("version", "memory", "round trip", "clock", "persistence", "replication", "handshake");
    }

    /** Opening a client would report only the first problem. */
    @Test
    void examine_severalThingsWrong_tellsAllOfThem() {
        ClockShim clock = new ClockShim();
        clock.step(Duration.ofMinutes(5));
        RedisServer server = start(redis7().clock(clock).config("maxmemory-policy", "allkeys-lru"));

        List<Finding> findings = RedisLocks.builder(server.uri()).examine();

        assertThat(level(findings, "memory")).isEqualTo(Level.FAIL);
        assertThat(level(findings, "clock")).isEqualTo(Level.FAIL);
        assertThat(find(findings, "clock").text()).contains("ahead");
        assertThat(level(findings, "persistence")).isEqualTo(Level.WARN);
        assertThat(level(findings, "handshake")).isEqualTo(Level.FAIL);
    }

    @Test
    void examine_nobodyListens_saysSo() throws Exception {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }

        List<Finding> findings = RedisLocks.builder("redis://127.0.0.1:" + port).examine();

        assertThat(findings).hasSize(1);
        assertThat(level(findings, "reachable")).isEqualTo(Level.FAIL);
    }

    @Test
    void examine_wrongPassword_isALoginAndNeverShown() {
        RedisServer server = start(redis7().config("requirepass", "right"));

        List<Finding> findings =
                RedisLocks.builder("redis://:s3cret@127.0.0.1:" + server.port()).examine();

        assertThat(level(findings, "login")).isEqualTo(Level.FAIL);
        assertThat(findings.toString()).doesNotContain("s3cret");
    }

    @Test
    void examine_userWithoutScan_isWarnedOfListing() {
        RedisServer server = start(redis7());
        server.command("ACL", "SETUSER", "app", "on", ">pw", "~holdfast:*", "&holdfast:*", "+@all", "-scan", "-acl");

        List<Finding> findings =
                RedisLocks.builder("redis://app:pw@127.0.0.1:" + server.port()).examine();

        assertThat(level(findings, "permissions")).isEqualTo(Level.WARN);
        assertThat(find(findings, "permissions").remedy()).contains("+scan");
        assertThat(level(findings, "handshake")).isEqualTo(Level.OK);
    }

    /** A server tells the first thing only, and whoever added it would come back for the next. */
    @Test
    void examine_userLacksSeveralRules_tellsThemAllAtOnce() {
        RedisServer server = start(redis7());
        server.command(
                "ACL",
                "SETUSER",
                "app",
                "on",
                ">pw",
                "~holdfast:*",
                "resetchannels",
                "+@all",
                "-hset",
                "-info",
                "-wait",
                "-script|load");

        List<Finding> findings =
                RedisLocks.builder("redis://app:pw@127.0.0.1:" + server.port()).examine();

        assertThat(findings).singleElement().satisfies(each -> {
            assertThat(each.level()).isEqualTo(Level.FAIL);
            assertThat(each.check()).isEqualTo("permissions");
            assertThat(each.text()).startsWith("as app, lacks ");
            assertThat(each.remedy()).isEqualTo("ACL SETUSER <user> +script|load +info +hset &holdfast:* +wait");
        });
    }

    /** The list that messages give is complete. */
    @Test
    void examine_userWithTheRulesThatItNames_lacksNothing() {
        RedisServer server = start(redis7().appendOnly());
        List<String> user = new ArrayList<>(List.of("ACL", "SETUSER", "app", "on", ">pw"));
        user.addAll(List.of(
                AclRules.text("holdfast").replaceFirst(", and in a cluster", "").split(" ", -1)));
        server.command(user.toArray(String[]::new));

        assertThat(RedisLocks.builder("redis://app:pw@127.0.0.1:" + server.port())
                        .examine())
                .allSatisfy(each -> assertThat(each.level()).as("%s", each).isEqualTo(Level.OK));
    }

    @Test
    void examine_replicaWithoutMinReplicas_isToldForBoth() {
        RedisServer master = start(redis7());
        RedisServer replica = start(redis7().replicaOf(master));
        await().until(() -> master.info("replication").get("connected_slaves").equals("1"));

        assertThat(level(RedisLocks.builder(master.uri()).examine(), "replication"))
                .isEqualTo(Level.WARN);
        master.command("CONFIG", "SET", "min-replicas-to-write", "1", "min-replicas-max-lag", "30");
        assertThat(find(RedisLocks.builder(master.uri()).examine(), "replication")
                        .remedy())
                .startsWith("CONFIG SET min-replicas-max-lag 10");
        List<Finding> ofReplica = RedisLocks.builder(replica.uri()).examine();
        assertThat(level(ofReplica, "role")).isEqualTo(Level.FAIL);
    }

    /** Opening a client would mark the server, and shut it for a minute. */
    @Test
    void examine_guardedServerWithoutMark_leavesItSo() {
        RedisServer server = start(redis7());

        assertThat(level(RedisMember.of(RedisLocks.builder(server.uri()), 3).examine(), "quorum"))
                .isEqualTo(Level.WARN);
        assertThat(level(RedisLocks.builder(server.uri()).safety(Safety.STRICT).examine(), "guard"))
                .isEqualTo(Level.WARN);
        assertThat(server.command("EXISTS", "holdfast:member", "holdfast:guard"))
                .isEqualTo(0L);
    }

    @Test
    void examine_markedMember_knowsItsQuorum() {
        RedisServer server = start(redis7());
        bench.open(LockEngine.start(
                RedisMember.of(RedisLocks.builder(server.uri()).startEmpty(), 3).newBackend(), LockOptions.defaults()));

        assertThat(level(RedisMember.of(RedisLocks.builder(server.uri()), 3).examine(), "quorum"))
                .isEqualTo(Level.OK);
        assertThat(level(RedisMember.of(RedisLocks.builder(server.uri()), 5).examine(), "quorum"))
                .isEqualTo(Level.FAIL);
        assertThat(level(
                        RedisMember.of(RedisLocks.builder(server.uri()).longestLease(Duration.ofSeconds(5)), 3)
                                .examine(),
                        "quorum"))
                .isEqualTo(Level.FAIL);
    }

    @Test
    void examine_oldServer_isFineUnlessItMustBeGuarded() {
        RedisServer server = start(RedisServer.builder(RedisVersion.V6_2));

        assertThat(level(RedisLocks.builder(server.uri()).examine(), "version")).isEqualTo(Level.WARN);
        assertThat(level(RedisLocks.builder(server.uri()).safety(Safety.STRICT).examine(), "version"))
                .isEqualTo(Level.FAIL);
    }

    @Test
    void examine_sentinels_askEachAndLookAtTheMaster() {
        RedisSentinels sentinels = bench.open(RedisSentinels.start(RedisVersion.V7_0));
        sentinels.sentinels().get(0).kill();

        List<Finding> findings = RedisLocks.builder(sentinels.uri()).examine();

        assertThat(findings).filteredOn(each -> each.check().equals("sentinel")).hasSize(2);
        assertThat(level(findings, "reachable")).isEqualTo(Level.FAIL);
        assertThat(level(findings, "handshake")).isEqualTo(Level.OK);
        assertThat(find(findings, "role").server())
                .isEqualTo("127.0.0.1:" + sentinels.currentMaster().port());
    }

    @Test
    void examine_cluster_looksAtEveryMaster() {
        RedisCluster cluster = bench.open(RedisCluster.start(RedisVersion.V7_0));

        List<Finding> findings = RedisLocks.builder(cluster.uri()).examine();

        assertThat(level(findings, "cluster")).isEqualTo(Level.OK);
        assertThat(findings).filteredOn(each -> each.check().equals("role")).hasSize(3);
        assertThat(level(findings, "handshake")).isEqualTo(Level.OK);
    }
}
