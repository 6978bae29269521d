package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same command line, whatever the URL stands for. */
@Tag("integration")
class RunTopologyIT {
    @Test
    void run_throughSentinels_excludes() {
        try (RedisSentinels sentinels = RedisSentinels.start(RedisVersion.V7_0)) {
            Called init = Called.holdfast("init", "--yes", "--url", sentinels.uri());
            assertThat(init.code()).as(init.err()).isZero();
            assertThat(init.out()).contains("is marked, and grants");
            assertExcludes(sentinels.uri());
        }
    }

    @Test
    void run_onACluster_excludes() {
        try (RedisCluster cluster = RedisCluster.start(RedisVersion.V7_0)) {
            assertExcludes(cluster.uri());
        }
    }

    @Test
    void run_onAQuorum_excludesAlsoWhenANodeIsGone() {
        List<RedisServer> nodes = Stream.generate(() -> RedisServer.start(RedisVersion.V7_0))
                .limit(3)
                .toList();
        try {
            String url = nodes.stream().map(RedisServer::uri).collect(Collectors.joining(","));
            assertThat(Called.holdfast("quorum", "init", "--yes", "--url", url).code())
                    .isZero();
            nodes.get(2).kill();
            assertExcludes(url);
        } finally {
            nodes.forEach(RedisServer::close);
        }
    }

    @Test
    void run_onServersThatMayHaveForgotten_saysWhyItWaits() {
        try (RedisSentinels sentinels = RedisSentinels.start(RedisVersion.V7_0);
                Cli run = Cli.with(sentinels.uri()).start("run", "a", "--", "echo", "never");
                Cli late = Cli.with(sentinels.uri()).start("run", "a", "--wait", "10s", "--", "echo", "never")) {
            run.awaitErr("holdfast: waiting: the store grants nothing now, asked for 'a': ");
            run.signal("TERM");
            assertThat(run.exitCode()).isEqualTo(143);
            assertThat(late.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(late.err())
                    .contains("holdfast: the store grants nothing now")
                    .contains("holdfast init")
                    .doesNotContain("busy");
            assertThat(run.out() + late.out()).isEmpty();
        }
    }

    private static void assertExcludes(String url) {
        try (Cli first =
                Cli.with(url).start("run", "a", "--", "sh", "-c", "echo in $HOLDFAST_TOKEN; read line; exit 3")) {
            long token = Outputs.number(first, "in");
            Called second = Called.holdfast("run", "a", "--wait", "0s", "--url", url, "--", "true");
            assertThat(second.code()).as(second.err()).isEqualTo(ExitCodes.BUSY);
            assertThat(second.err()).hasLineCount(1).contains("/" + first.pid() + " ");
            assertThat(Called.holdfast("ls", "--url", url).out())
                    .containsPattern("(?m)^a +lock .*/" + first.pid() + " ");
            first.type("\n");
            assertThat(first.exitCode()).isEqualTo(3);
            try (Cli third = Cli.with(url).start("run", "a", "--", "sh", "-c", "echo in $HOLDFAST_TOKEN")) {
                assertThat(Outputs.number(third, "in")).isGreaterThan(token);
                assertThat(third.exitCode()).isZero();
            }
        }
    }
}
