package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that are well, that are not, and that are not there; and a quorum's beginning. */
@Tag("integration")
class StoreIT {
    private static List<RedisServer> servers;
    private static String quorum;

    @BeforeAll
    static void start() {
        servers = Stream.generate(() -> RedisServer.start(RedisVersion.V7_0))
                .limit(3)
                .toList();
        quorum = servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
    }

    @AfterAll
    static void stop() {
        servers.forEach(RedisServer::close);
    }

    @Test
    void doctor_usableServer_endsWithZeroAndALineForEachCheck() {
        Called doctor = holdfast("doctor", "--url", servers.get(0).uri());

        assertThat(doctor.code()).isZero();
        assertThat(doctor.lines()).hasSizeGreaterThan(8);
        assertThat(doctor.lines().subList(0, doctor.lines().size() - 2)).allMatch(line -> line.matches("(OK|WARN) .*"));
        assertThat(doctor.out())
                .contains("round trip", "clock", "handshake", "; fix: ")
                .endsWith(" 0 wrong\n");
        assertThat(doctor.err()).isEmpty();
    }

    @Test
    void doctor_unusableServer_endsWith69() {
        try (RedisServer lossy = RedisServer.builder(RedisVersion.V7_0)
                .config("maxmemory-policy", "allkeys-lru")
                .start()) {
            Called doctor = holdfast("doctor", "--json", "--url", lossy.uri());

            assertThat(doctor.code()).isEqualTo(ExitCodes.BROKEN);
            assertThat(doctor.lines()).allMatch(line -> line.startsWith("{\"level\":\"") && line.endsWith("\"}"));
            assertThat(doctor.out()).contains("\"level\":\"FAIL\"", "CONFIG SET maxmemory-policy noeviction");
        }
    }

    @Test
    void quorumInit_newNodes_grantAtOnce() {
        servers.forEach(RedisServer::flushAll);
        Called before = holdfast("doctor", "--url", quorum);
        assertThat(before.out()).contains("has no mark");

        Called init = holdfast("quorum", "init", "--yes", "--url", quorum);

        assertThat(init.err()).contains("has no mark");
        assertThat(init.code()).isZero();
        assertThat(init.lines()).hasSize(3).allMatch(line -> line.endsWith("is marked, and grants"));
        Called again = holdfast("quorum", "init", "--url", quorum);
        assertThat(again.code()).isZero();
        assertThat(again.out()).endsWith("nothing was changed\n");
        assertThat(holdfast("ls", "--url", quorum).out()).isEqualTo("nobody holds or waits for anything\n");
    }

    @Test
    void quorumInit_nodesThatAClientHasUsed_saysWhyNothingHelps() {
        servers.forEach(RedisServer::flushAll);
        assertThat(holdfast("run", "a", "--wait", "0s", "--url", quorum, "--", "true")
                        .code())
                .isEqualTo(ExitCodes.BROKEN);

        Called init = holdfast("quorum", "init", "--yes", "--url", quorum);

        assertThat(init.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(init.err()).endsWith("initialise new nodes before the first client comes\n");
        servers.forEach(RedisServer::flushAll);
    }

    @Test
    void quorumInit_oneServer_isRefused() {
        Called init =
                holdfast("quorum", "init", "--yes", "--url", servers.get(0).uri());

        assertThat(init.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(init.err()).contains("the URLs of all its nodes");
    }

    @Test
    void quorum_evenNumber_isRefused() {
        String two = servers.get(0).uri() + "," + servers.get(1).uri();

        for (String[] line : new String[][] {{"ls"}, {"doctor"}, {"quorum", "init", "--yes"}}) {
            String[] args =
                    Stream.concat(Stream.of(line), Stream.of("--url", two)).toArray(String[]::new);
            Called refused = holdfast(args);
            assertThat(refused.code()).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).contains("a quorum of 2 nodes, expected an odd number");
        }
    }

    @Test
    void store_nobodyListens_isOneLineAnd69() {
        Called refused = holdfast("ls", "--url", "redis://127.0.0.1:1");

        assertThat(refused.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(refused.err().lines()).hasSize(1).allMatch(line -> line.startsWith("holdfast: could not connect: "));
        Called verbose = holdfast("ls", "--verbose", "--url", "redis://127.0.0.1:1");
        assertThat(verbose.err()).contains("\tat io.holdfast.");
    }

    @Test
    void store_wrongPassword_saysWhatToChangeAndNotThePassword() {
        try (RedisServer guarded = RedisServer.builder(RedisVersion.V7_0)
                .config("requirepass", "right")
                .start()) {
            Called refused = holdfast("ls", "--url", "redis://:s3cret@127.0.0.1:" + guarded.port());

            assertThat(refused.code()).isEqualTo(ExitCodes.BROKEN);
            assertThat(refused.err())
                    .contains("put the right user and password into the URL")
                    .doesNotContain("s3cret");
        }
    }
}
