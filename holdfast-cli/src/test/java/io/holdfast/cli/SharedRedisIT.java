package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The server that the commands of a user share: there is one, and it does not stay. */
@Tag("integration")
class SharedRedisIT {
    /** How long a keeper waits for a server that does not come. */
    private static final Duration LONGEST_START = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    private TestHome own;
    private Path home;

    @BeforeEach
    void makeHome() {
        own = TestHome.in(folder);
        home = own.folder();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(own.end()).isEmpty();
    }

    private Cli probe(int idleSeconds) {
        return Cli.at(home)
                .env("HOLDFAST_IDLE_SECONDS", String.valueOf(idleSeconds))
                .startOther(SharedRedisProbe.class);
    }

    private static String url(Cli probe) {
        return probe.awaitOut("\n").out().strip();
    }

    /** A connection that takes the place of the probe's. */
    private static Jedis replace(Cli probe) {
        Jedis stays = new Jedis(url(probe));
        assertThat(stays.ping()).isEqualTo("PONG");
        end(probe);
        return stays;
    }

    private static void end(Cli probe) {
        assertThat(probe.endInput().exitCode()).as(probe.err()).isZero();
    }

    private static long pid(Jedis server) {
        Matcher pid = Pattern.compile("process_id:([0-9]+)").matcher(server.info("server"));
        assertThat(pid.find()).isTrue();
        return Long.parseLong(pid.group(1));
    }

    /** Only one remains: the second one notices, and ends. */
    private long awaitKeeper() {
        return await().atMost(Cli.PATIENCE)
                .until(() -> own.processes("Keeper"), found -> found.size() == 1)
                .get(0);
    }

    private void awaitNobody() {
        await().atMost(Cli.PATIENCE).until(() -> own.processes("").isEmpty());
        assertThat(home.resolve("server")).doesNotExist();
    }

    @Test
    void open_twoAtTheSameTime_shareOneServerThatEndsWhenIdle() {
        try (Cli one = probe(2);
                Cli two = probe(2)) {
            String url = url(one);
            assertThat(url(two)).isEqualTo(url);
            try (Jedis stays = replace(one);
                    Cli first = Cli.with(url).start("run", "db", "--", "sh", "-c", "echo in; read line");
                    Cli second = Cli.with(url).start("run", "db", "--", "echo", "after")) {
                end(two);
                awaitKeeper();
                first.type("\n");
                assertThat(first.exitCode()).isZero();
                assertThat(second.exitCode()).isZero();
                assertThat(stays.ping()).isEqualTo("PONG");
                stays.flushAll(); // clients are remembered for some seconds, and the server is not idle for that long
            }
        }
        awaitNobody();
    }

    @Test
    void open_staleFileAndKilledKeeper_startsAnew() throws Exception {
        Files.writeString(home.resolve("server"), "1 nobody");
        try (Cli first = probe(1);
                Jedis stays = replace(first)) {
            long keeper = awaitKeeper();
            Cli.signal("KILL", keeper);
            Outputs.awaitEnded(keeper);
            try (Cli second = probe(1)) {
                assertThat(url(second)).isEqualTo(url(first));
                end(second);
            }
            assertThat(awaitKeeper()).isNotEqualTo(keeper);
        }
        awaitNobody();
    }

    /** Holders of locks in it would not be seen by new commands. */
    @Test
    void open_serverStandsStill_isWaitedForAndNotReplaced() {
        try (Cli first = probe(1);
                Jedis stays = replace(first)) {
            long server = pid(stays);
            long keeper = awaitKeeper();
            Cli.signal("STOP", server);
            try (Cli second = probe(1)) {
                await().during(Duration.ofSeconds(7)) // two looks take four, and then it would start another one
                        .atMost(Cli.PATIENCE)
                        .until(() -> second.out().isEmpty());
                Cli.signal("CONT", server);
                assertThat(url(second)).isEqualTo(url(first));
                end(second);
            }
            assertThat(awaitKeeper()).isEqualTo(keeper);
        }
        awaitNobody();
    }

    /** Elsewhere it would be another store: old holders would go on beside new ones until their leases end. */
    @Test
    void open_serverWasKilled_isInTheSamePlaceAndHoldersHearOfIt() {
        try (Cli first = probe(2);
                Jedis stays = replace(first);
                Cli holder = Cli.with(url(first))
                        .start("run", "db", "--lease", "15s", "--", "sh", "-c", "echo in; exec sleep 60")) {
            holder.awaitOut("in");
            long server = pid(stays);
            Cli.signal("KILL", server);
            Outputs.awaitEnded(server);
            try (Cli second = probe(2)) {
                assertThat(url(second)).isEqualTo(url(first));
                assertThat(holder.exitCode()).isEqualTo(ExitCodes.LOST);
                assertThat(holder.err()).contains("the store forgot it");
                end(second);
            }
        }
        awaitNobody();
    }

    @Test
    void open_idleTimeIsNoNumber_isRefused() {
        try (Cli refused = Cli.at(home).env("HOLDFAST_IDLE_SECONDS", "soon").start("ls")) {
            assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).hasLineCount(1).contains("HOLDFAST_IDLE_SECONDS is 'soon'");
        }
    }

    /** As soon as there is a server, a keeper is there to end it. */
    @Test
    void open_killedWhenTheServerBegins_leavesNobody() {
        try (Cli killed = probe(1)) {
            await().atMost(Cli.PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !own.processes("redis-server").isEmpty());
            killed.signal("KILL");
            assertThat(killed.exitCode()).isEqualTo(137);
        }
        await().atMost(LONGEST_START.plus(Cli.PATIENCE))
                .until(() -> own.processes("").isEmpty());
    }

    @Test
    void open_folderIsDeleted_serverEndsAllTheSame() throws Exception {
        try (Cli probe = probe(1);
                Jedis stays = replace(probe)) {
            awaitKeeper();
            try (Stream<Path> files = Files.list(home)) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
            Files.delete(home);
        }
        awaitNobody();
    }

    @Test
    void open_folderForEverybody_isRefused() throws Exception {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Cli refused = probe(1)) {
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.err()).contains("may be used by others");
        }
    }
}
