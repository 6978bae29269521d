package io.holdfast.cli;

import io.holdfast.Safety;
import io.holdfast.cli.screen.Screen;
import io.holdfast.jdbc.JdbcLocksBuilder;
import io.holdfast.redis.RedisLocksBuilder;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Marks a server that is new to {@link Safety#STRICT}, or creates the tables in a database, or ZooKeeper's first node.
 */
@Command(
        name = "init",
        description = {
            "Marks a new server, Sentinel's master or cluster for clients with STRICT, so that it grants at once. Asks first.",
            "In a database: creates the tables that are not there, and changes nothing else.",
            "In ZooKeeper: creates the node below which everything is, as the first client would; nothing else is needed.",
            "",
            "It says that nobody holds anything. Said of a server that is in use, it may give a lock to two. A server that is"
                    + " marked already is left alone. Without it a new server works too, after the longest lease. For a"
                    + " quorum there is 'quorum init'."
        },
        mixinStandardHelpOptions = true)
final class InitCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    InitCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        List<String> urls = store.givenUrls();
        if (urls.size() != 1) {
            throw new IllegalArgumentException(
                    "one server, Sentinel, cluster, database or ZooKeeper is needed, in --url or HOLDFAST_URL; for a quorum: quorum init");
        }
        String url = urls.get(0);
        return ZooKeeperUrl.isMeant(url) ? createNode(url) : JdbcOptions.isMeant(url) ? createTables(url) : mark(url);
    }

    private int createNode(String url) {
        store.store(screen).connect().close();
        screen.line(ZooKeeperUrl.parse(url) + ": the node " + store.prefix + " is there, and nothing else is needed");
        return ExitCodes.OK;
    }

    private int createTables(String url) {
        JdbcLocksBuilder database = store.database(url);
        database.createTables().connect().close();
        database.examine().stream()
                .filter(each -> each.check().equals("tables"))
                .forEach(each -> screen.line(each.server() + ": " + each.text()));
        return ExitCodes.OK;
    }

    private int mark(String url) {
        RedisLocksBuilder server = store.server(url).safety(Safety.STRICT);
        if (!yes && !Question.isAnsweredYes(screen, "Is this server new, and does nobody hold anything?")) {
            screen.line("nothing was changed");
            return ExitCodes.NO;
        }
        server.startEmpty().connect().close();
        server.examine().stream()
                .filter(each -> each.check().equals("guard"))
                .forEach(each -> screen.line(each.server() + " " + each.text()));
        return ExitCodes.OK;
    }
}
