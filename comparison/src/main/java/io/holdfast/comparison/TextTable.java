package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.List;

/** Tables for the terminal: one for each workload, then how the targets stand. */
final class TextTable {

    private static final String GAP = "  ";

    private TextTable() {}

    /** With the targets. */
    static String of(List<Row> rows) {
        return measured(rows) + targets(rows);
    }

    /** Without any judgement. */
    static String measured(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        for (Block block : Block.of(rows)) {
            text.append(block.workload());
            if (!block.description().isEmpty()) {
                text.append(": ").append(block.description());
            }
            text.append('\n').append(table(block)).append('\n');
        }
        return text.append(Columns.LEGEND).append('\n').toString();
    }

    private static String table(Block block) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(Columns.titles(block.measure()));
        for (Row row : block.rows()) {
            List<String> cells = new ArrayList<>(Columns.cells(block, row));
            cells.add(Columns.note(row));
            lines.add(cells);
        }
        int columns = lines.get(0).size();
        // The note of a failed row stands where its numbers would be, and makes no column wider.
        List<List<String>> whole =
                lines.stream().filter(line -> line.size() >= columns).toList();
        int[] widths = widths(whole, columns);
        widths[0] = lines.stream().mapToInt(line -> line.get(0).length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(aligned(line, widths, columns)).append('\n'));
        return text.toString();
    }

    /** Only of the workloads that ran. */
    private static String targets(List<Row> rows) {
        List<String> ran = rows.stream().map(Row::workload).distinct().toList();
        List<List<String>> lines = new ArrayList<>();
        for (Target target : Targets.of(rows)) {
            if (ran.contains(target.workload())) {
                lines.add(List.of(
                        target.workload(),
                        target.what(),
                        target.wanted(),
                        target.measured(),
                        target.verdict().text()));
            }
        }
        if (lines.isEmpty()) {
            return "";
        }
        lines.add(0, List.of("workload", "target", "wanted", "measured", "verdict"));
        int[] widths = widths(lines, 5);
        StringBuilder text = new StringBuilder("\nTargets\n");
        lines.forEach(line -> text.append(aligned(line, widths, 0)).append('\n'));
        return text.toString();
    }

    private static int[] widths(List<List<String>> lines, int columns) {
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        return widths;
    }

    /** The first column to the left, those up to {@code numbers} to the right, the others to the left again. */
    private static String aligned(List<String> cells, int[] widths, int numbers) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            boolean known = column < widths.length && cells.size() >= widths.length;
            int width = known || column == 0 ? widths[column] : cell.length();
            String padding = " ".repeat(width - cell.length());
            line.append(GAP).append(column > 0 && column < numbers ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }
}
