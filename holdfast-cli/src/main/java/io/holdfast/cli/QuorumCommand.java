package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.Finding.Level;
import io.holdfast.cli.screen.Screen;
import io.holdfast.redis.RedisMember;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is done to a quorum as a whole. */
@Command(name = "quorum", description = "Begins a quorum of servers.", mixinStandardHelpOptions = true)
final class QuorumCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: quorum init");
    }

    /** Marks new nodes. */
    @Command(
            name = "init",
            description = {
                "Marks the nodes of a new quorum, so that they grant at once. Asks first.",
                "",
                "It says that nobody holds anything. Said of nodes that are in use, it may give a lock to two. Nodes that"
                        + " are marked already are left alone. Without it a new quorum works too, after the longest lease."
            },
            mixinStandardHelpOptions = true)
    static final class Init implements Callable<Integer> {
        private final Screen screen;

        @Mixin
        private final StoreOptions store = new StoreOptions();

        @Option(names = "--yes", description = "Do not ask.")
        private boolean yes;

        Init(Screen screen) {
            this.screen = screen;
        }

        @Override
        public Integer call() {
            List<String> urls = store.givenUrls();
            if (urls.size() < 2) {
                throw new IllegalArgumentException(
                        "a quorum needs the URLs of all its nodes, with commas between them, in --url or HOLDFAST_URL");
            }
            store.quorum(urls);
            List<Finding> before = marks(urls);
            if (before.stream().allMatch(each -> each.level() == Level.OK)) {
                before.forEach(each -> screen.line(each.server() + " " + each.text()));
                screen.line("nothing was changed");
                return ExitCodes.OK;
            }
            before.forEach(each -> screen.errorText(each.server() + " " + each.text() + System.lineSeparator()));
            if (!yes && !Question.isAnsweredYes(screen, "Are these nodes new, and does nobody hold anything?")) {
                screen.line("nothing was changed");
                return ExitCodes.NO;
            }
            store.quorum(urls).startEmpty().connect().close();
            List<Finding> after = marks(urls);
            after.forEach(each -> screen.line(each.server() + " " + each.text()));
            if (after.stream().allMatch(each -> each.level() == Level.OK)) {
                return ExitCodes.OK;
            }
            screen.note("a client has used these nodes before, so they open by themselves: initialise new nodes before"
                    + " the first client comes");
            return ExitCodes.BROKEN;
        }

        /** What each node's mark says, or why it cannot be read. */
        private List<Finding> marks(List<String> urls) {
            List<Finding> marks = new ArrayList<>();
            for (String url : urls) {
                List<Finding> node =
                        RedisMember.of(store.server(url), urls.size()).examine();
                node.stream()
                        .filter(each -> each.check().equals("quorum") || each.level() == Level.FAIL)
                        .findFirst()
                        .ifPresent(marks::add);
            }
            return marks;
        }
    }
}
