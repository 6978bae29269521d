package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.zookeeper.ZooKeeperLocks;
import io.holdfast.zookeeper.ZooKeeperLocksBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ZooKeeper URLs that make no sense, what they mean where they do, and their secrets. */
class ZooKeeperUsageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ls --url zookeeper://a:2181                  | the URL of a ZooKeeper does not begin with zk://, expected zk://
            ls --url zk:a:2181                           | the URL of a ZooKeeper does not begin with zk://, expected zk://
            ls --url zk://a:2181,zk://b:2181             | the URL has zk:// twice, expected it once, before all servers
            ls --url zk://me@a:2181                      | what is before the '@' is no user:password
            ls --url zk://a%zz                           | ` a '%' in the URL is followed by no two hexadecimal digits, write it as %25`
            ls --url zk://a:2181/app/                    | no slash at its end
            ls --url zk://a:port                         | 'a:port' is no server in it; expected host:port
            ls --url zk://                               | '' is no server in it
            ls --prefix a! --url zk://a                  | root is '/a!', expected a path such as /holdfast
            ls --safety strict --url zk://a              | --safety is for stores that may forget
            ls --longest-lease 1m --url zk://a           | --longest-lease is for stores that may forget
            ls --user me --url zk://a                    | --user is for jdbc URLs
            run a --lease 2h --url zk://a -- true        | --lease is 2h, more than the
            quorum init --url zk://a,b,c                 | a quorum needs the URLs of all its nodes
            """)
    void wrong_line_isOneLineAndCode64(String line, String message) {
        Called called = holdfast(line.strip().split(" ", -1));

        assertThat(called.err())
                .startsWith("holdfast: ")
                .contains(message.strip())
                .hasLineCount(1);
        assertThat(called.code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void url_servers_areOneStoreWhateverCommas() {
        assertThat(StoreUrls.split(" zk://a:1,b:2,c/app")).containsExactly("zk://a:1,b:2,c/app");
    }

    @ParameterizedTest
    @CsvSource({
        "zk://a, a, ''",
        "'zk://a:1,b:2/app/locks', 'a:1,b:2/app/locks', ''",
        "zk://[::1]:2181, [::1]:2181, ''",
        "ZK://me:p%2Fw%40+:1@a:1/x%40y, a:1/x@y, me:p/w@+:1"
    })
    void url_parts_areWhatZooKeeperWants(String url, String connect, String login) {
        assertThat(ZooKeeperUrl.parse(url)).isEqualTo(new ZooKeeperUrl(login, connect));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk://me:s3cret@127.0.0.1:1/app/",
                "zk://me:s3cret@127.0.0.1:port",
                "zk://me:s3cret/more@127.0.0.1:1",
                "zk://s3cret@127.0.0.1:1",
                "zk://me:s3cret%@127.0.0.1:1",
                "zk:me:s3cret@127.0.0.1:1"
            })
    void password_ofAnyUrl_isNotTold(String url) {
        for (String command : new String[] {"ls", "doctor"}) {
            Called called = holdfast(command, "--verbose", "--url", url);

            assertThat(called.code()).as(called.out()).isNotZero();
            assertThat(called.out() + called.err()).isNotEmpty().doesNotContain("s3cret");
        }
        assertThat(new ZooKeeperUrl("me:s3cret", "a:1")).hasToString("zk://a:1");
    }

    @Test
    void session_ofALease_isTheShortestThatCarriesIt() {
        for (int seconds : new int[] {5, 10, 24, 60, 1800}) {
            Duration lease = Duration.ofSeconds(seconds);
            ZooKeeperStore store = ZooKeeperStore.holding("zk://a", ZooKeeperLocks.builder("a"), lease);

            assertThat(store.leaseLimit())
                    .hasValueSatisfying(limit ->
                            assertThat(limit).isGreaterThanOrEqualTo(lease).isLessThan(lease.plusSeconds(2)));
        }
        ZooKeeperStore shortest = ZooKeeperStore.holding("zk://a", ZooKeeperLocks.builder("a"), Duration.ofMillis(1));
        assertThat(shortest.leaseLimit())
                .hasValueSatisfying(limit -> assertThat(limit).isPositive());
        assertThatThrownBy(() -> StoreOptions.checkLease(
                        Duration.ofHours(1),
                        ZooKeeperStore.holding("zk://a", ZooKeeperLocks.builder("a"), Duration.ofHours(1))))
                .hasMessageContaining("that the longest session of ZooKeeper carries; ask for less");
        assertThat(ZooKeeperStore.holding("zk://a", ZooKeeperLocks.builder("a"), null)
                        .leaseLimit())
                .isEqualTo(ZooKeeperLocks.builder("a")
                        .session(ZooKeeperLocksBuilder.DEFAULT_SESSION)
                        .leaseLimit());
    }

    @Test
    void help_everyStoreCommand_namesIt() {
        for (String command : new String[] {"run", "ls", "show", "watch", "break", "doctor", "init"}) {
            String help = holdfast(command, "--help").out().replaceAll("\\s+", ""); // it is broken into lines
            assertThat(help).contains("zk://[user:password@]host");
        }
        assertThat(holdfast("--help").out()).contains("ZooKeeper");
    }
}
