package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.Finding.Level;
import io.holdfast.cli.screen.Json;
import io.holdfast.cli.screen.Screen;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what is wrong with a server before a lock meets it. */
@Command(
        name = "doctor",
        description = {
            "Checks each server as a client does when it is opened, and further: round trip, clock, permissions,"
                    + " persistence, replication; of a database its tables as well, of ZooKeeper its sessions. A line for each, with what to change.",
            "",
            "Ends with 0 if nothing fails (a warning is no failure), with 69 otherwise."
        },
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "One JSON object per finding and line.")
    private boolean json;

    DoctorCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        List<Finding> findings = store.store(screen).examine();
        findings.forEach(json ? this::printJson : this::print);
        long failed = count(findings, Level.FAIL);
        if (!json) {
            screen.line("");
            screen.line(findings.size() - failed - count(findings, Level.WARN) + " fine, " + count(findings, Level.WARN)
                    + " to look at, " + failed + " wrong");
        }
        return failed == 0 ? ExitCodes.OK : ExitCodes.BROKEN;
    }

    private static long count(List<Finding> findings, Level level) {
        return findings.stream().filter(each -> each.level() == level).count();
    }

    private void print(Finding finding) {
        Screen.Style style = switch (finding.level()) {
            case OK -> Screen.Style.GREEN;
            case WARN -> Screen.Style.YELLOW;
            case FAIL -> Screen.Style.RED;
        };
        screen.line(screen.styled(style, String.format("%-4s", finding.level())) + "  "
                + String.format("%-21s  %-12s  ", finding.server(), finding.check())
                + Screen.visible(finding.text())
                + (finding.remedy().isEmpty() ? "" : screen.styled(Screen.Style.BOLD, "; fix: ") + finding.remedy()));
    }

    private void printJson(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("level", finding.level().name());
        fields.put("server", finding.server());
        fields.put("check", finding.check());
        fields.put("text", finding.text());
        fields.put("fix", finding.remedy());
        screen.line(Json.text(fields));
    }
}
