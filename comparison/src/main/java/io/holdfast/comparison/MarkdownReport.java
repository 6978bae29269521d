package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The tables for the documentation: how the targets stand, then one section for each workload. */
final class MarkdownReport {

    private MarkdownReport() {}

    static String of(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        text.append("Machine: ").append(escaped(machine())).append(".\n\n");
        text.append("### Setup\n\n").append(setup(rows));
        text.append("\n### Targets\n\n").append(targets(rows));
        for (Block block : Block.of(rows)) {
            text.append("\n### ").append(escaped(block.workload())).append("\n\n");
            if (!block.description().isEmpty()) {
                text.append(escaped(block.description())).append("\n\n");
            }
            text.append(table(block));
        }
        return text.append('\n').append(Columns.LEGEND).append('\n').toString();
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", JDK "
                + Runtime.version();
    }

    /** Only of what was measured. */
    private static String setup(List<Row> rows) {
        StringBuilder text = new StringBuilder(line(List.of("library", "version", "setup")));
        text.append("|---|---|---|\n");
        for (Library library : Library.values()) {
            rows.stream()
                    .filter(row -> row.library().equals(library.label()))
                    .findFirst()
                    .ifPresent(row -> text.append(line(List.of(row.library(), row.version(), library.setup()))));
        }
        return text.toString();
    }

    private static String targets(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        text.append(line(List.of("workload", "target", "wanted", "measured", "verdict")));
        text.append("|---|---|---|---|---|\n");
        for (Target target : Targets.of(rows)) {
            text.append(line(List.of(
                    target.workload(),
                    target.what(),
                    target.wanted(),
                    target.measured(),
                    target.verdict().text())));
        }
        return text.toString();
    }

    private static String table(Block block) {
        List<String> titles = Columns.titles(block.measure());
        StringBuilder text = new StringBuilder(line(titles));
        text.append("|---|").append("---:|".repeat(titles.size() - 1)).append('\n');
        for (Row row : block.rows()) {
            List<String> cells = new ArrayList<>(Columns.cells(block, row));
            cells.addAll(Collections.nCopies(titles.size() - cells.size(), Numbers.NONE));
            String note = Columns.note(row);
            String name = escaped(cells.remove(0));
            String first = note.isEmpty() ? name : name + " **" + escaped(note) + "**";
            text.append("| ").append(first).append(' ').append(line(cells));
        }
        return text.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream().map(MarkdownReport::escaped).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** A message may hold what Markdown would take for its own. */
    private static String escaped(String text) {
        return text.replaceAll("([\\\\|*_`<>\\[\\]])", "\\\\$1").replaceAll("\\s+", " ");
    }
}
